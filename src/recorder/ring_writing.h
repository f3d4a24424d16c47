// The code that writes into the ring, inlined into its only callers on the path of a call.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>

#include "recorder/recording_ring.h"
#include "threads/thread.h"

namespace takt::recorder {

using BlockTurn = std::atomic_ref<std::uint64_t>;
static_assert(BlockTurn::is_always_lock_free);

// By registers of 16 octets: for memcpy of many, g++ 12 may make a repeated string instruction, which takes
// long to begin.
template <std::size_t Bytes>
[[gnu::always_inline]] inline void copy_exactly(std::uint8_t* to, const std::uint8_t* from) {
  constexpr std::size_t step = std::min<std::size_t>(Bytes, 16);
  static_assert(Bytes % step == 0);
  for (std::size_t at = 0; at < Bytes; at += step) std::memcpy(to + at, from + at, step);
}

// Copies the first and the last octets of a text between `Bytes` and twice as long, which may overlap.
template <std::size_t Bytes>
[[gnu::always_inline]] inline void copy_ends(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
  copy_exactly<Bytes>(to, from);
  copy_exactly<Bytes>(to + count - Bytes, from + count - Bytes);
}

// Up to 128 octets.
[[gnu::always_inline]] inline void copy_few(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
  if (count > 64) return copy_ends<64>(to, from, count);
  if (count > 32) return copy_ends<32>(to, from, count);
  if (count >= 16) return copy_ends<16>(to, from, count);
  if (count >= 8) return copy_ends<8>(to, from, count);
  if (count >= 4) return copy_ends<4>(to, from, count);
  for (std::size_t at = 0; at < count; ++at) to[at] = from[at];
}

// A block that is being written, or was by a thread that came later, stays as it is.
[[gnu::always_inline]] inline bool RecordingRing::claim(std::uint8_t* at, std::uint64_t block) noexcept {
  const BlockTurn turn(*reinterpret_cast<std::uint64_t*>(at));
  const std::uint64_t writing = turn_of(block, BlockState::writing);
  std::uint64_t seen = turn.load(std::memory_order_relaxed);
  const bool free = seen % 4 != static_cast<std::uint64_t>(BlockState::writing) && seen < writing;
  if (!free || !turn.compare_exchange_strong(seen, writing, std::memory_order_acquire)) return false;
  std::atomic_thread_fence(std::memory_order_release);
  return true;
}

[[gnu::always_inline]] inline void RecordingRing::publish(std::uint8_t* at, std::uint64_t block,
                                                          BlockState state) noexcept {
  BlockTurn(*reinterpret_cast<std::uint64_t*>(at)).store(turn_of(block, state), std::memory_order_release);
}

// Others may write there soon, a turn of the ring later.
[[gnu::always_inline]] inline bool RecordingRing::is_old(const Run& run) const noexcept {
  return std::atomic_ref(head().next_block).load(std::memory_order_relaxed) - run.next_ > most_age_;
}

// `at`: the run's next block. The memory of the next piece comes into the cache while the call goes on.
[[gnu::always_inline]] inline void RecordingRing::prefetch(const std::uint8_t* at, const Run& run) noexcept {
  constexpr std::size_t line = 64;
  if (run.end_ == run.next_) return;
  for (std::size_t i = 0; i < 2 * block_bytes; i += line) __builtin_prefetch(at + i, 1);
}

// The first block is published last, so that a piece whose first block is whole is whole.
[[gnu::noinline]] inline bool RecordingRing::write(const Piece& piece, Run& run) noexcept {
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
  if (!claim(block_at(place), block)) [[unlikely]]
    return false;
  FirstBlock& first = *reinterpret_cast<FirstBlock*>(block_at(place));
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
    if (!claim(block_at(place), block)) [[unlikely]] {
      first.kind = static_cast<std::uint8_t>(PieceKind::nothing);
      publish(block_at(first_place), first_block, BlockState::first);
      return false;
    }
    count = std::min(octets.size(), NextBlock::most_octets);
    copy_few(reinterpret_cast<NextBlock*>(block_at(place))->octets, octets.data(), count);
    publish(block_at(place), block, BlockState::next);
  }
  publish(block_at(first_place), first_block, BlockState::first);
  prefetch(block_at(run.place_), run);
  return true;
}

inline void RecordingRing::put(const Piece& piece, Run& run) noexcept {
  if (!write(piece, run)) [[unlikely]]
    put_elsewhere(piece, run);
}

// Keeps so few values that it needs no registers of the caller's. The blocks must not be divided by the
// ring's end.
template <std::uint64_t Blocks>
[[gnu::always_inline]] inline bool RecordingRing::put_in(const StreamPlace& place, ByteView message,
                                                         std::int64_t time_ns, Run& run) noexcept {
  const std::uint64_t block = run.next_;
  if (run.end_ - block < Blocks || run.place_ + Blocks >= layout_.blocks || is_old(run) || thread_ == 0)
      [[unlikely]]
    return false;
  std::uint8_t* const at = block_at(run.place_);
  std::uint8_t* const next_at = at + block_bytes;
  if (!claim(at, block)) [[unlikely]]
    return false;
  FirstBlock& first = *reinterpret_cast<FirstBlock*>(at);
  if constexpr (Blocks == 2) {
    if (!claim(next_at, block + 1)) [[unlikely]] {
      first.kind = static_cast<std::uint8_t>(PieceKind::nothing);
      publish(at, block, BlockState::first);
      return false;
    }
  }
  run.next_ += Blocks;
  run.place_ += Blocks;
  const std::size_t size = message.size();
  first.time_ns = time_ns;
  first.stream_offset = place.stream_offset;
  first.connection = place.connection;
  first.thread = thread_;
  first.message_bytes = static_cast<std::uint32_t>(size);
  first.offset = 0;
  first.size = static_cast<std::uint32_t>(size);
  first.direction = static_cast<std::uint8_t>(place.direction);
  first.kind = static_cast<std::uint8_t>(PieceKind::message);
  first.secret_bytes = 0;
  if constexpr (Blocks == 2) {
    copy_exactly<FirstBlock::most_octets>(first.octets, message.data());
    copy_few(reinterpret_cast<NextBlock*>(next_at)->octets, message.data() + FirstBlock::most_octets,
             size - FirstBlock::most_octets);
    publish(next_at, block + 1, BlockState::next);
  } else {
    copy_few(first.octets, message.data(), size);
  }
  publish(at, block, BlockState::first);
  prefetch(at + Blocks * block_bytes, run);
  return true;
}

[[gnu::always_inline]] inline bool RecordingRing::put_short(const StreamPlace& place, ByteView message,
                                                            std::int64_t time_ns, Run& run) noexcept {
  return message.size() > FirstBlock::most_octets ? put_in<2>(place, message, time_ns, run)
                                                  : put_in<1>(place, message, time_ns, run);
}

inline bool RecordingRing::renew(Run& run, std::size_t message_bytes) noexcept {
  const bool knows_thread = thread_ != 0;
  if (!knows_thread) thread_ = os::known_thread_number();
  const std::uint64_t blocks = 1 + next_blocks(message_bytes);
  const bool has_blocks = run.end_ - run.next_ >= blocks && !is_old(run);
  if (!has_blocks) take(run, blocks);
  return !knows_thread || !has_blocks;
}

}  // namespace takt::recorder
