#include "frames/protocol/packet.h"

#include <algorithm>

namespace takt::frames {

namespace {

constexpr std::uint8_t version = 2, padding_flag = 0x20, extension_flag = 0x10, marker = 0x80;
constexpr std::size_t rtp_bytes = 12, part_bytes = 4;

// Big-endian (network order).
std::uint16_t get16(const std::uint8_t* at) { return static_cast<std::uint16_t>(at[0] << 8 | at[1]); }
std::uint32_t get32(const std::uint8_t* at) { return std::uint32_t{get16(at)} << 16 | get16(at + 2); }
void put16(std::uint8_t* at, std::uint16_t value) {
  at[0] = static_cast<std::uint8_t>(value >> 8);
  at[1] = static_cast<std::uint8_t>(value);
}
void put32(std::uint8_t* at, std::uint32_t value) {
  put16(at, static_cast<std::uint16_t>(value >> 16));
  put16(at + 2, static_cast<std::uint16_t>(value));
}

// The octets after RTP's header, without padding; empty if the lengths are inconsistent.
ByteView body_of(ByteView datagram) {
  std::size_t head = rtp_bytes + std::size_t{4} * (datagram[0] & 0x0f);
  if ((datagram[0] & extension_flag) != 0) {
    if (datagram.size() < head + 4) return {};
    head += 4 + std::size_t{4} * get16(&datagram[head + 2]);
  }
  if (datagram.size() < head) return {};
  const ByteView body = datagram.subspan(head);
  if ((datagram[0] & padding_flag) == 0) return body;
  const std::size_t padding = body.empty() ? 0 : body.back();
  return padding == 0 || padding > body.size() ? ByteView() : body.first(body.size() - padding);
}

}  // namespace

std::optional<RtpPacket> RtpPacket::decode(ByteView datagram) {
  if (datagram.size() < rtp_bytes || datagram[0] >> 6 != version || (datagram[1] & ~marker) != payload_type)
    return std::nullopt;
  const ByteView body = body_of(datagram);
  if (body.size() <= part_bytes) return std::nullopt;
  const RtpPacket packet{get16(&datagram[2]), get32(&datagram[4]), get32(&datagram[8]),
                         get16(&body[0]),     get16(&body[2]),     body.subspan(part_bytes)};
  const bool last = (datagram[1] & marker) != 0;
  if (packet.part >= packet.parts || last != (packet.part + 1 == packet.parts)) return std::nullopt;
  return packet;
}

bool Packetizer::begin(ByteView frame, std::uint32_t timestamp) {
  const std::size_t parts = (frame.size() + payload_bytes_ - 1) / payload_bytes_;
  left_ = {};
  if (parts == 0 || parts > UINT16_MAX) return false;
  left_ = frame;
  timestamp_ = timestamp;
  part_ = 0;
  parts_ = static_cast<std::uint16_t>(parts);
  return true;
}

bool Packetizer::next(PacketHead& head, ByteView& payload) {
  if (left_.empty()) return false;
  payload = left_.first(std::min(left_.size(), payload_bytes_));
  left_ = left_.subspan(payload.size());
  head[0] = version << 6;
  head[1] = static_cast<std::uint8_t>(payload_type | (left_.empty() ? marker : 0));
  put16(&head[2], sequence_++);
  put32(&head[4], timestamp_);
  put32(&head[8], source_);
  put16(&head[12], part_++);
  put16(&head[14], parts_);
  return true;
}

bool Packetizer::next(std::vector<std::uint8_t>& datagram) {
  PacketHead head;
  ByteView payload;
  if (!next(head, payload)) return false;
  datagram.assign(head.begin(), head.end());
  datagram.insert(datagram.end(), payload.begin(), payload.end());
  return true;
}

}  // namespace takt::frames
