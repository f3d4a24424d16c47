#include <takt/cdr/exception.h>
#include <takt/frames/frames.h>

#include "frames/packets.h"
#include "frames/protocol/packet.h"
#include "transport/udp/cookies.h"

namespace takt {

using frames::PacketSink;

namespace {

constexpr std::size_t least_packet_bytes = 64, most_packet_bytes = 65'000;

std::size_t checked_size(std::size_t packet_bytes) {
  if (packet_bytes >= least_packet_bytes && packet_bytes <= most_packet_bytes) return packet_bytes;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         std::to_string(packet_bytes) + " octets are no size for packets: 64 to 65000 are");
}

std::unique_ptr<PacketSink> datagrams_of(const FrameStream& to, const FrameSending& sending) {
  if (to.transport == frames::datagrams)
    return frames::datagrams_to({to.transport, to.host, to.port}, sending);
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         "frames to " + to.host + " go over '" + to.transport +
                             "', which takes an ORB: takt::FrameStreams::of(orb).sender(...)");
}

}  // namespace

class FrameSender::Sending {
 public:
  Sending(std::unique_ptr<PacketSink> sink, std::uint32_t source, std::size_t packet_bytes)
      : packetizer_(source, static_cast<std::uint16_t>(transport::unguessable_number()), packet_bytes),
        sink_(std::move(sink)) {}

  bool send(ByteView frame, std::uint32_t timestamp) {
    if (!packetizer_.begin(frame, timestamp))
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "a frame of " + std::to_string(frame.size()) +
                                 " octets: there must be some, and no more than 65,535 packets hold");
    return sink_->send(packetizer_);
  }

 private:
  frames::Packetizer packetizer_;
  const std::unique_ptr<PacketSink> sink_;
};

FrameSender::FrameSender(const FrameStream& to, std::size_t packet_bytes) {
  checked_size(packet_bytes);
  sending_ = std::make_unique<Sending>(datagrams_of(to, {}), to.source, packet_bytes);
}
FrameSender::FrameSender(const FrameStream& to, const FrameSending& sending) {
  const std::size_t bytes =
      checked_size(sending.packet_bytes != 0 ? sending.packet_bytes : usual_datagram_bytes);
  sending_ = std::make_unique<Sending>(datagrams_of(to, sending), to.source, bytes);
}
FrameSender::FrameSender(std::unique_ptr<PacketSink> packets, std::uint32_t source, std::size_t packet_bytes)
    : sending_(std::make_unique<Sending>(std::move(packets), source, checked_size(packet_bytes))) {}
FrameSender::~FrameSender() = default;
FrameSender::FrameSender(FrameSender&&) noexcept = default;
FrameSender& FrameSender::operator=(FrameSender&&) noexcept = default;

bool FrameSender::send(std::span<const std::uint8_t> frame, std::uint32_t timestamp) {
  return sending_->send(frame, timestamp);
}

}  // namespace takt
