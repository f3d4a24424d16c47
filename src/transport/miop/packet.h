// What a datagram of MIOP begins with, and how a message becomes several.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::transport::miop {

// MIOP::PacketHeader_1_0 (OMG MIOP 1.0; CORBA 3.x, Unreliable Multicast). A collection is the packets of one
// message; docs/protocol/miop.md has the layout.
struct Packet {
  bool last = false;
  std::uint32_t number = 0;  // from 0
  std::uint32_t count = 0;   // of the collection's packets; 0: the sender does not say until the last one
  ByteView id;               // of the collection, by which its sender tells it from its others
  ByteView payload;          // the message's octets

  // Views into `datagram`. Nothing for what is no packet of MIOP 1.0, or contradicts itself.
  static std::optional<Packet> decode(ByteView datagram);
};

// Of a collection that we send.
using CollectionId = std::array<std::uint8_t, 12>;
inline constexpr std::size_t packet_head_bytes = 32;  // with such an id

// One message, packet by packet.
class Packets {
 public:
  // Of at most `datagram_bytes` each, head included, which is more than packet_head_bytes and at most 65,000.
  // The pieces stay the caller's, and outlive this.
  Packets(std::span<const ByteView> message, const CollectionId& id, std::size_t datagram_bytes);

  std::uint32_t count() const { return count_; }
  // The next datagram into `datagram`, which keeps its memory; false: there is none. Allocates where that is
  // too small.
  bool next(std::vector<std::uint8_t>& datagram);

 private:
  std::span<const ByteView> message_;
  const CollectionId id_;
  const std::size_t payload_bytes_;
  std::size_t left_ = 0;
  std::size_t offset_ = 0;  // in the first piece of message_
  std::uint32_t number_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace takt::transport::miop
