// Layout of a shared buffer of events: a page of controls, and a ring of records.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace takt::event_ring {

// The channel writes, and never reads what it has written; readers have the memory mapped read-only, so that
// none of them can disturb the channel or another reader. Positions count octets from the beginning of the
// ring's life; their place is the position modulo the ring's size. A record's octets are written in units of
// 8 octets, each by one store, so that a reader which is overtaken reads old or new units but races with no
// store.
struct RingControls {
  static constexpr std::size_t apart = 128;  // processors fetch cache lines in pairs

  // Octets up to this position may be under way; those that are a ring's size before it are lost.
  alignas(apart) std::atomic<std::uint64_t> claimed;
  alignas(apart) std::atomic<std::uint64_t> written;  // end of the last complete record
  std::atomic<std::uint64_t> newest;                  // beginning of the last complete record
  std::atomic<std::uint32_t> bell;                    // a futex: it changes with each publication
  std::atomic<std::uint32_t> ended;                   // 1: there will be no more
  // Number of the event that follows `written`, stored before and after it: if both are the same, it belongs
  // to `written` as it is between them.
  std::atomic<std::uint64_t> next_before, next_after;
};

// In front of the octets of each record, which begins at a multiple of 16 octets.
struct RecordHead {
  std::uint64_t length;    // octets of the record without its head and its padding
  std::uint64_t sequence;  // number of the event: a gap is a loss
};
static_assert(sizeof(RecordHead) == 16);

inline constexpr std::size_t controls_bytes = 4096;
static_assert(sizeof(RingControls) <= controls_bytes);

// Sizes of rings are powers of two in this range.
inline constexpr std::uint32_t least_ring_bytes = 64 * 1024, most_ring_bytes = 64u << 20;
constexpr bool is_ring_size(std::uint64_t bytes) {
  return bytes >= least_ring_bytes && bytes <= most_ring_bytes && std::has_single_bit(bytes);
}
// Longer records are not written: each would overwrite much of what readers have yet to read.
constexpr std::size_t most_record_bytes(std::uint32_t ring_bytes) { return ring_bytes / 4; }
// With head and padding.
constexpr std::uint64_t occupied_bytes(std::uint64_t length) {
  constexpr std::uint64_t unit = sizeof(RecordHead);
  return unit + (length + unit - 1) / unit * unit;
}

}  // namespace takt::event_ring
