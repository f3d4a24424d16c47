// Packets of frames in a byte stream, each preceded by its length in two octets (RFC 4571).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::frames {

inline constexpr std::size_t most_streamed_bytes =
    65'535;  // maximum packet size: the largest two-octet length

// The length prefix of a packet of at most most_streamed_bytes.
constexpr std::array<std::uint8_t, 2> length_before(std::size_t packet_bytes) {
  return {static_cast<std::uint8_t>(packet_bytes >> 8), static_cast<std::uint8_t>(packet_bytes)};
}

// The reading end, without a socket. Keeps at most one packet of maximum size. One thread at a time.
class StreamedPackets {
 public:
  // Where to read the next octets to; never empty. Invalidates the result of next().
  MutableBytes read_space();
  void bytes_read(std::size_t count) { filled_ += count; }
  // The next complete packet, if any. Skips empty packets, which the RFC allows.
  std::optional<ByteView> next();

 private:
  std::vector<std::uint8_t> octets_ = std::vector<std::uint8_t>(most_streamed_bytes + 2);
  std::size_t begin_ = 0, filled_ = 0;  // range of unread octets
};

}  // namespace takt::frames
