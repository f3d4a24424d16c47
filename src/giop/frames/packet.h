// A datagram of a stream of frames: RTP's head (RFC 3550, 5.1), and which part of its frame it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::giop::frames {

// docs/protocol/frames.md has the layout.
struct Packet {
  std::uint16_t sequence = 0;   // one more with each packet of the stream
  std::uint32_t timestamp = 0;  // equal for the parts of a frame
  std::uint32_t source = 0;     // the stream (SSRC)
  std::uint16_t part = 0;       // of the frame, from 0
  std::uint16_t parts = 1;      // that the frame has
  ByteView payload;             // of which there is some

  // The number of its frame's first packet.
  std::uint16_t first() const { return static_cast<std::uint16_t>(sequence - part); }
  // A view into `datagram`. Nothing for what is no such packet, or contradicts itself. Contributing sources,
  // an extension and padding, which RTP allows, are passed over.
  static std::optional<Packet> decode(ByteView datagram);
};

inline constexpr std::size_t packet_head_bytes = 16;
inline constexpr std::uint8_t payload_type =
    96;  // the first of those that mean what both sides have agreed on

// Cuts frames into datagrams. One thread.
class Packetizer {
 public:
  // Datagrams of at most that many octets, more than packet_head_bytes. `first_sequence`: at random, as RFC
  // 3550 has it.
  Packetizer(std::uint32_t source, std::uint16_t first_sequence, std::size_t datagram_bytes)
      : source_(source), sequence_(first_sequence), payload_bytes_(datagram_bytes - packet_head_bytes) {}

  // Of a frame; what is left of the one before is forgotten. `frame` stays the caller's until the last
  // next(). False, and there is none: it is empty, or longer than 65,535 datagrams hold.
  bool begin(ByteView frame, std::uint32_t timestamp);
  // The next datagram into `datagram`, which keeps its memory; false: there is none.
  bool next(std::vector<std::uint8_t>& datagram);

 private:
  const std::uint32_t source_;
  std::uint16_t sequence_;
  const std::size_t payload_bytes_;
  ByteView left_;
  std::uint32_t timestamp_ = 0;
  std::uint16_t part_ = 0, parts_ = 0;
};

}  // namespace takt::giop::frames
