// Streams of frames over an ORB's transports, UDP included (docs/user/protocols.md#frames).
#pragma once

#include <cstddef>
#include <string_view>

#include <takt/frames/frames.h>
#include <takt/orb/orb.h>

namespace takt {

// Any thread. After the ORB's shutdown, functions throw what the ORB itself throws; senders and receivers
// stay usable.
class FrameStreams {
 public:
  // The streams of this ORB, whose options for connections and TLS apply. Throws BAD_PARAM for nil.
  static FrameStreams of(CORBA::object_reference<CORBA::ORB> orb);

  // Receives at an endpoint of any transport, in the form of -ORBListenEndpoints: "udp://192.0.2.7:0",
  // "ssliop://192.0.2.7:0", "shm:". Throws BAD_PARAM for a malformed endpoint; otherwise like FrameReceiver's
  // other constructor.
  FrameReceiver receiver(std::string_view endpoint, const FrameOptions& options = {}) const;
  // Connects, if the transport has connections; this may block like a call, and throws TRANSIENT on failure.
  // Throws BAD_PARAM if the ORB lacks the transport. `packet_bytes`: 0 means the default. The rest of a
  // partly sent packet is kept until the next frame.
  FrameSender sender(const FrameStream& to, std::size_t packet_bytes = 0) const;
  // The code point replaces the ORB's for connections. Throws BAD_PARAM for one out of range.
  FrameSender sender(const FrameStream& to, const FrameSending& sending) const;

 private:
  explicit FrameStreams(CORBA::object_reference<CORBA::ORB> orb) : orb_(std::move(orb)) {}

  CORBA::object_reference<CORBA::ORB> orb_;
};

}  // namespace takt
