// Streams of frames over an ORB's transports, UDP among them (docs/user/protocols.md#frames).
#pragma once

#include <cstddef>
#include <string_view>

#include <takt/frames/frames.h>
#include <takt/orb/orb.h>

namespace takt {

// Any thread. Functions throw as the ORB itself once it has been shut down; what they have made lasts longer.
class FrameStreams {
 public:
  // Of this ORB, whose options for connections hold, TLS's among them. BAD_PARAM for nil.
  static FrameStreams of(CORBA::object_reference<CORBA::ORB> orb);

  // At an endpoint as -ORBListenEndpoints has them, of any transport: "udp://192.0.2.7:0",
  // "ssliop://192.0.2.7:0", "shm:". BAD_PARAM for what is none; and throws as FrameReceiver's other
  // constructor.
  FrameReceiver receiver(std::string_view endpoint, const FrameOptions& options = {}) const;
  // Over a transport that connects: opens the connection, for which it may block as a call does, and throws
  // TRANSIENT where it cannot. BAD_PARAM for a transport that this ORB does not have. `packet_bytes`: 0 is
  // the usual; a packet that the system takes in part is kept until the next frame.
  FrameSender sender(const FrameStream& to, std::size_t packet_bytes = 0) const;

 private:
  explicit FrameStreams(CORBA::object_reference<CORBA::ORB> orb) : orb_(std::move(orb)) {}

  CORBA::object_reference<CORBA::ORB> orb_;
};

}  // namespace takt
