// A packet of a stream of frames: an RTP header (RFC 3550, 5.1) and the position in its frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::frames {

// See docs/protocol/frames.md for the layout.
struct RtpPacket {
  std::uint16_t sequence = 0;   // counts the packets of the stream
  std::uint32_t timestamp = 0;  // equal for all parts of a frame
  std::uint32_t source = 0;     // identifies the stream (SSRC)
  std::uint16_t part = 0;       // index in the frame, from 0
  std::uint16_t parts = 1;      // number of parts of the frame
  ByteView payload;             // never empty

  // The sequence number of its frame's first packet.
  std::uint16_t first() const { return static_cast<std::uint16_t>(sequence - part); }
  // A view into `datagram`. Empty if it is no such packet or is inconsistent. Contributing sources, an
  // extension and padding, which RTP allows, are skipped.
  static std::optional<RtpPacket> decode(ByteView datagram);
};

inline constexpr std::size_t packet_head_bytes = 16;
using PacketHead = std::array<std::uint8_t, packet_head_bytes>;
inline constexpr std::uint8_t payload_type = 96;  // the first dynamic payload type

// Splits frames into packets. One thread at a time.
class Packetizer {
 public:
  // Packets have at most `datagram_bytes` octets, which must exceed packet_head_bytes. `first_sequence`
  // should be random (RFC 3550).
  Packetizer(std::uint32_t source, std::uint16_t first_sequence, std::size_t datagram_bytes)
      : source_(source), sequence_(first_sequence), payload_bytes_(datagram_bytes - packet_head_bytes) {}

  // Starts a frame and drops the rest of the previous one. `frame` must live until the last next(). Returns
  // false, without a frame, if it is empty or needs more than 65,535 packets.
  bool begin(ByteView frame, std::uint32_t timestamp);
  // The head of the next packet, and the part of the frame that follows it. Returns false if there is none.
  bool next(PacketHead& head, ByteView& payload);
  // Writes the next packet into `datagram`, reusing its memory. Returns false if there is none.
  bool next(std::vector<std::uint8_t>& datagram);

 private:
  const std::uint32_t source_;
  std::uint16_t sequence_;
  const std::size_t payload_bytes_;
  ByteView left_;
  std::uint32_t timestamp_ = 0;
  std::uint16_t part_ = 0, parts_ = 0;
};

}  // namespace takt::frames
