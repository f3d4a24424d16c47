// A server and a client that record what passes between them.
#pragma once

#include <fstream>
#include <iterator>

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

  Recording of_server() const { return read_recording_of(*this / "server"); }
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
