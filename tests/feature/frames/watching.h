// A receiver of frames behind an ORB, and its client.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frames/receiver.h"
#include "orb_pair.h"

namespace feature {

class Watching : public OrbPair {
 public:
  // `make_receiver` is called with the server's ORB.
  template <class MakeReceiver>
  Watching(MakeReceiver make_receiver, const Options& server_options, const Options& client_options)
      : OrbPair(server_options, client_options),
        receiver(make_receiver(server)),
        control(
            publish<Takt::Frames::Receiver>(CORBA::make_reference<takt::frames::ReceiverServant>(receiver))) {
  }
  explicit Watching(const takt::FrameOptions& options = {}, const std::string& host = "127.0.0.1")
      : Watching([&](const Orb&) { return std::make_shared<takt::FrameReceiver>(host, options); }, {}, {}) {}

  const std::shared_ptr<takt::FrameReceiver> receiver;
  const IDL::traits<Takt::Frames::Receiver>::ref_type control;
};

inline std::vector<std::uint8_t> frame_of(int number, std::size_t size = 5000) {
  return std::vector<std::uint8_t>(size, static_cast<std::uint8_t>(number));
}

}  // namespace feature
