#include <takt/orb/frames.h>

#include <string>
#include <utility>

#include "config/endpoints.h"
#include "frames/packets.h"
#include "orb/runtime/runtime.h"

namespace takt {

using frames::datagrams;

FrameStreams FrameStreams::of(CORBA::object_reference<CORBA::ORB> orb) {
  if (!orb) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil ORB has no transports for frames");
  return FrameStreams(std::move(orb));
}

FrameReceiver FrameStreams::receiver(std::string_view endpoint, const FrameOptions& options) const {
  orb_->runtime_->require_up();
  const auto parts = orb_->runtime_->shared_parts();
  const auto at = orb::endpoint_from_text(endpoint, {}, parts->references.transports);
  auto packets = at.protocol == datagrams ? frames::datagrams_at(at.host, at.port)
                                          : frames::connections_at(at, parts->client.shared());
  return {std::move(packets), options};
}

FrameSender FrameStreams::sender(const FrameStream& to, std::size_t packet_bytes) const {
  return sender(to, FrameSending{.packet_bytes = packet_bytes});
}

FrameSender FrameStreams::sender(const FrameStream& to, const FrameSending& sending) const {
  orb_->runtime_->require_up();
  if (to.transport == datagrams) return FrameSender(to, sending);
  const auto parts = orb_->runtime_->shared_parts();
  if (!parts->references.transports.find(to.transport))
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "frames to " + to.host + " go over '" + to.transport + "', a transport that this ORB does not have");
  const std::size_t usual = FrameSender::usual_packet_bytes;
  return {frames::connection_to({to.transport, to.host, to.port}, parts->client.shared(),
                                frames::checked_code_point(sending.dscp)),
          to.source, sending.packet_bytes != 0 ? sending.packet_bytes : usual};
}

}  // namespace takt
