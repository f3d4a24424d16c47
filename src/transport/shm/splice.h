// Splices: octets of a stream that bypass its ring.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <takt/base/bytes.h>

#include "transport/shm/ring.h"

namespace takt::transport {

// Each ring has a pool of buffers that its writer lends. Octets in a lent buffer are sent as a splice: the
// ring carries one placeholder octet, and an entry in a list describes the octets that it stands for. The
// reader copies or holds them, and reports each splice when done.
//
// The list is in shared memory and untrusted like the ring: each value is loaded once and checked. Entries
// are read in order; the ring's control has the count.
struct SpliceControl {
  static constexpr std::uint32_t most = 64;  // limit of pending splices, and of buffers

  struct Entry {
    std::atomic<std::uint32_t> position;  // position of the placeholder octet in the ring
    std::atomic<std::uint32_t> buffer;    // the writer's number of the buffer
    std::atomic<std::uint32_t> begin, bytes;
  };
  Entry entries[most];
  // Number of finished splices of each buffer.
  alignas(RingControl::apart) std::atomic<std::uint32_t> done[most];
};

// A splice that was read and validated.
struct Splice {
  std::uint32_t position, buffer;
  ByteView octets;
};

// Pool sizes: zero, or a power of two in this range.
constexpr std::uint32_t least_lent_bytes = 64 * 1024, most_lent_bytes = 1 << 30;
constexpr bool is_lent_size(std::uint32_t bytes) {
  return bytes == 0 || (bytes >= least_lent_bytes && bytes <= most_lent_bytes && (bytes & (bytes - 1)) == 0);
}

}  // namespace takt::transport
