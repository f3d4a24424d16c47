// The packet header of MIOP, and splitting a message into packets.
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
// message. docs/protocol/miop.md describes the layout.
struct MiopPacket {
  bool last = false;
  std::uint32_t number = 0;  // in its collection, from 0
  std::uint32_t count = 0;   // packets in the collection; 0: unknown until the last packet
  ByteView id;               // id of the collection, unique for its sender
  ByteView payload;          // the packet's part of the message

  // The result has views into `datagram`. nullopt for anything but a consistent MIOP 1.0 packet.
  static std::optional<MiopPacket> decode(ByteView datagram);
};

// Id of a collection that this process sends.
using CollectionId = std::array<std::uint8_t, 12>;
inline constexpr std::size_t packet_head_bytes = 32;  // with an id of that size

// Splits one message into packets.
class Packets {
 public:
  // `datagram_bytes` limits a packet, header included; it is more than packet_head_bytes and at most 65,000.
  // The caller keeps the pieces alive as long as this object.
  Packets(std::span<const ByteView> message, const CollectionId& id, std::size_t datagram_bytes);

  std::uint32_t count() const { return count_; }
  // Writes the next packet into `datagram`, reusing its memory. False: there is none. Allocates if the memory
  // is too small.
  bool next(std::vector<std::uint8_t>& datagram);

 private:
  std::span<const ByteView> message_;
  const CollectionId id_;
  const std::size_t payload_bytes_;
  std::size_t left_ = 0;
  std::size_t offset_ = 0;  // into the first piece of message_
  std::uint32_t number_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace takt::transport::miop
