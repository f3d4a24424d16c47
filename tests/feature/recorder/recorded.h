// A server and a client that record what passes between them.
#pragma once

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "echo_servant.h"
#include "folder.h"
#include "orb_pair.h"
#include "recorder/recording_file.h"

namespace feature {

using EchoRef = IDL::traits<Calls::Echo>::ref_type;
using takt::recorder::Direction;
using takt::recorder::ReadMessage;
using takt::recorder::Recording;

inline Recording read_recording_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<std::uint8_t> octets(std::istreambuf_iterator<char>(in), {});
  auto recording = takt::recorder::read_recording(octets);
  EXPECT_TRUE(recording) << path << ": " << recording.error();
  return recording ? std::move(*recording) : Recording();
}

class Recorded : public Folder, public OrbPair {
 public:
  explicit Recorded(const std::string& endpoints = loopback, const Options& server_options = {},
                    const Options& client_options = {})
      : OrbPair(with({"-ORBRecorder", "1MiB", "-ORBRecorderFile", *this / "server", "-ORBRecorderMessageSize",
                      "64KiB"},
                     server_options),
                with({"-ORBRecorder", "1MiB", "-ORBRecorderFile", *this / "client", "-ORBRecorderMessageSize",
                      "64KiB"},
                     client_options),
                endpoints),
        echo(publish<Calls::Echo>(CORBA::make_reference<EchoServant>())) {}

  // The server records a reply after it has sent it, so this waits for as many messages as the client has.
  Recording of_server() const {
    const std::size_t wanted = of_client().messages.size();
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    Recording recording = read_recording_of(*this / "server");
    while (recording.messages.size() < wanted && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      recording = read_recording_of(*this / "server");
    }
    return recording;
  }
  Recording of_client() const { return read_recording_of(*this / "client"); }

  EchoRef echo;
};

inline std::vector<std::vector<std::uint8_t>> octets_of(const Recording& recording, Direction direction) {
  std::vector<std::vector<std::uint8_t>> all;
  for (const ReadMessage& message : recording.messages)
    if (message.direction == direction) all.push_back(message.octets);
  return all;
}

}  // namespace feature
