// Packets of frames in a stream of octets: each behind its length in two octets (RFC 4571).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::giop::frames {

inline constexpr std::size_t most_streamed_bytes = 65'535;  // of a packet, as two octets say it

// What stands before a packet of so many octets, at most most_streamed_bytes.
constexpr std::array<std::uint8_t, 2> length_before(std::size_t packet_bytes) {
  return {static_cast<std::uint8_t>(packet_bytes >> 8), static_cast<std::uint8_t>(packet_bytes)};
}

// The reading end, without a socket. Whatever comes, it keeps no more than one packet can be long. One
// thread.
class StreamedPackets {
 public:
  // Where the next octets go; some, always. What next() gave is gone then.
  MutableBytes read_space();
  void bytes_read(std::size_t count) { filled_ += count; }
  // Once there are some: each packet that is complete. Empty ones, which the RFC allows, are passed over.
  std::optional<ByteView> next();

 private:
  std::vector<std::uint8_t> octets_ = std::vector<std::uint8_t>(most_streamed_bytes + 2);
  std::size_t begin_ = 0, filled_ = 0;  // what is there and was not given
};

}  // namespace takt::giop::frames
