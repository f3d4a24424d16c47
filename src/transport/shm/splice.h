// Octets of a ring's stream that do not pass through the ring.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <takt/base/bytes.h>

#include "transport/shm/ring.h"

namespace takt::transport {

// Beside each ring lies memory from which its writer lends buffers. What was written into one is
// sent by a splice: the ring has one octet in its place, of no meaning, and a list says what is meant by it.
// The reader copies those octets out, or holds them where they are, and says of each splice when it is done.
//
// In the memory that both sides map, and as little to be trusted as the ring: each value is loaded once and
// checked. The list is read in turn; how far it goes is in the ring's control.
struct SpliceControl {
  static constexpr std::uint32_t most = 64;  // splices that were not taken yet, and buffers

  struct Entry {
    std::atomic<std::uint32_t> position;  // of the octet in the ring
    std::atomic<std::uint32_t> buffer;    // by which number the writer knows it
    std::atomic<std::uint32_t> begin, bytes;
  };
  Entry entries[most];
  alignas(RingControl::apart) std::atomic<std::uint32_t> done[most];  // of each buffer's splices, how many
};

// As it was read and checked.
struct Splice {
  std::uint32_t position, buffer;
  ByteView octets;
};

// Sizes of that memory: none, or powers of two between these.
constexpr std::uint32_t least_lent_bytes = 64 * 1024, most_lent_bytes = 1 << 30;
constexpr bool is_lent_size(std::uint32_t bytes) {
  return bytes == 0 || (bytes >= least_lent_bytes && bytes <= most_lent_bytes && (bytes & (bytes - 1)) == 0);
}

}  // namespace takt::transport
