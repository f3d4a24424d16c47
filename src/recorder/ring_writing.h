// The code that writes a piece into the ring, inlined into its only caller on the path of a call.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>

#include "recorder/recording_ring.h"
#include "threads/thread.h"

namespace takt::recorder {

using BlockTurn = std::atomic_ref<std::uint64_t>;
static_assert(BlockTurn::is_always_lock_free);

// Copies the first and the last octets of a text between `Bytes` and twice as long, which may overlap.
template <std::size_t Bytes>
[[gnu::always_inline]] inline void copy_ends(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
  std::memcpy(to, from, Bytes);
  std::memcpy(to + count - Bytes, from + count - Bytes, Bytes);
}

// Up to 128 octets, by copies of fixed sizes: for memcpy of a few octets g++ 12 makes a repeated string
// instruction, which takes long to begin.
[[gnu::always_inline]] inline void copy_few(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
  if (count > 64) return copy_ends<64>(to, from, count);
  if (count > 32) return copy_ends<32>(to, from, count);
  if (count >= 16) return copy_ends<16>(to, from, count);
  if (count >= 8) return copy_ends<8>(to, from, count);
  for (std::size_t at = 0; at < count; ++at) to[at] = from[at];
}

// A block that is being written, or was by a thread that came later, stays as it is.
[[gnu::always_inline]] inline bool RecordingRing::claim(std::uint64_t place, std::uint64_t block) noexcept {
  const BlockTurn turn(*reinterpret_cast<std::uint64_t*>(blocks_ + place * block_bytes));
  const std::uint64_t writing = turn_of(block, BlockState::writing);
  std::uint64_t seen = turn.load(std::memory_order_relaxed);
  const bool free = seen % 4 != static_cast<std::uint64_t>(BlockState::writing) && seen < writing;
  if (!free || !turn.compare_exchange_strong(seen, writing, std::memory_order_acquire)) return false;
  std::atomic_thread_fence(std::memory_order_release);
  return true;
}

[[gnu::always_inline]] inline void RecordingRing::publish(std::uint64_t place, std::uint64_t block,
                                                          BlockState state) noexcept {
  BlockTurn(*reinterpret_cast<std::uint64_t*>(blocks_ + place * block_bytes))
      .store(turn_of(block, state), std::memory_order_release);
}

// Others may write there soon, a turn of the ring later.
[[gnu::always_inline]] inline bool RecordingRing::is_old(const Run& run) const noexcept {
  return std::atomic_ref(head().next_block).load(std::memory_order_relaxed) - run.next_ > most_age_;
}

// The memory of the next piece comes into the cache while the call goes on.
[[gnu::always_inline]] inline void RecordingRing::prefetch(const Run& run) const noexcept {
  const std::uint8_t* const at = blocks_ + run.place_ * block_bytes;
  constexpr std::size_t line = 64;
  if (run.end_ == run.next_) return;
  for (std::size_t i = 0; i < 2 * block_bytes; i += line) __builtin_prefetch(at + i, 1);
}

// The first block is published last, so that a piece whose first block is whole is whole.
[[gnu::always_inline]] inline bool RecordingRing::write(const Piece& piece, Run& run) noexcept {
  ByteView octets = piece.octets;
  const std::uint64_t blocks = 1 + next_blocks(octets.size());
  if (run.end_ - run.next_ < blocks || is_old(run)) [[unlikely]]
    take(run, blocks);
  std::uint64_t block = run.next_, place = run.place_;
  run.next_ += blocks;
  run.place_ += blocks;
  if (run.place_ >= layout_.blocks) [[unlikely]]
    run.place_ -= layout_.blocks;
  const std::uint64_t first_block = block, first_place = place;
  if (!claim(place, block)) [[unlikely]]
    return false;
  FirstBlock& first = *reinterpret_cast<FirstBlock*>(blocks_ + place * block_bytes);
  first.time_ns = piece.time_ns;
  first.stream_offset = piece.stream_offset;
  first.connection = piece.connection;
  first.thread = os::known_thread_number();
  first.message_bytes = piece.message_bytes;
  first.offset = piece.offset;
  first.size = static_cast<std::uint32_t>(octets.size());
  first.direction = static_cast<std::uint8_t>(piece.direction);
  first.kind = static_cast<std::uint8_t>(piece.kind);
  first.secret_bytes = piece.secret_bytes;
  std::size_t count = std::min(octets.size(), FirstBlock::most_octets);
  copy_few(first.octets, octets.data(), count);
  while (!(octets = octets.subspan(count)).empty()) {
    ++block;
    if (++place == layout_.blocks) place = 0;
    if (!claim(place, block)) [[unlikely]] {
      first.kind = static_cast<std::uint8_t>(PieceKind::nothing);
      publish(first_place, first_block, BlockState::first);
      return false;
    }
    count = std::min(octets.size(), NextBlock::most_octets);
    copy_few(reinterpret_cast<NextBlock*>(blocks_ + place * block_bytes)->octets, octets.data(), count);
    publish(place, block, BlockState::next);
  }
  publish(first_place, first_block, BlockState::first);
  prefetch(run);
  return true;
}

inline void RecordingRing::put(const Piece& piece, Run& run) noexcept {
  if (!write(piece, run)) [[unlikely]]
    put_elsewhere(piece, run);
}

}  // namespace takt::recorder
