#include "recorder/recording_ring.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

#include "os/error_text.h"
#include "os/threads/thread.h"

namespace takt::recorder {

RecordingRing::Error error_of(const os::MappedFile::Error& error) {
  using Problem = RecordingRing::Problem;
  if (error.other_contents) return {Problem::other, "it exists and is not a recording; name another one"};
  if (error.number == EWOULDBLOCK)
    return {Problem::in_use,
            "another ORB records there; %p in the name gives each process a file of its own"};
  return {Problem::other, os::error_text(error.number)};
}

namespace {

using Turn = std::atomic_ref<std::uint64_t>;
static_assert(Turn::is_always_lock_free);

}  // namespace

std::int64_t recording_time() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::expected<std::unique_ptr<RecordingRing>, RecordingRing::Error> RecordingRing::create(
    const std::string& path, const Options& options, const os::FileOwner& owner) {
  std::string name = os::with_process(path);
  auto file =
      os::MappedFile::create(name, layout_of(options.bytes).file_bytes(), std::string(recording_magic));
  if (!file) return std::unexpected(error_of(file.error()));
  return std::unique_ptr<RecordingRing>(new RecordingRing(std::move(name), std::move(*file), options, owner));
}

// The magic comes last, so that a reader finds a whole head.
RecordingRing::RecordingRing(std::string path, os::MappedFile file, const Options& options,
                             const os::FileOwner& owner)
    : path_(std::move(path)),
      file_(std::move(file)),
      layout_(layout_of(options.bytes)),
      message_bytes_(static_cast<std::uint32_t>(
          std::min<std::uint64_t>({options.message_bytes, layout_.most_message_bytes(), UINT32_MAX}))),
      connections_(reinterpret_cast<ConnectionEntry*>(file_.data() + head_bytes)),
      blocks_(file_.data() + head_bytes + layout_.connections * sizeof(ConnectionEntry)) {
  RecordingHead& head = *new (file_.data()) RecordingHead{};
  head.version = recording_version;
  head.connections = layout_.connections;
  head.blocks = layout_.blocks;
  head.message_bytes = message_bytes_;
  head.next_connection = 1;
  head.origin.set(owner);
  std::atomic_thread_fence(std::memory_order_release);
  std::memcpy(head.magic, recording_magic.data(), recording_magic.size());
}

// A block that is being written, or was by a thread that came later, stays as it is.
bool RecordingRing::claim(std::uint64_t place, std::uint64_t block) noexcept {
  const Turn turn(*reinterpret_cast<std::uint64_t*>(blocks_ + place * block_bytes));
  const std::uint64_t writing = turn_of(block, BlockState::writing);
  std::uint64_t seen = turn.load(std::memory_order_relaxed);
  const bool free = seen % 4 != static_cast<std::uint64_t>(BlockState::writing) && seen < writing;
  if (!free || !turn.compare_exchange_strong(seen, writing, std::memory_order_acquire)) return false;
  std::atomic_thread_fence(std::memory_order_release);
  return true;
}

void RecordingRing::publish(std::uint64_t place, std::uint64_t block, BlockState state) noexcept {
  Turn(*reinterpret_cast<std::uint64_t*>(blocks_ + place * block_bytes))
      .store(turn_of(block, state), std::memory_order_release);
}

// The first block is published last, so that a piece whose first block is whole is whole.
void RecordingRing::put(const Piece& piece) noexcept {
  ByteView octets = piece.octets;
  std::uint64_t block =
      std::atomic_ref(head().next_block).fetch_add(1 + next_blocks(octets.size()), std::memory_order_relaxed);
  std::uint64_t place = block % layout_.blocks;
  const std::uint64_t first_block = block, first_place = place;
  if (!claim(place, block)) [[unlikely]] {
    std::atomic_ref(head().left_out).fetch_add(1, std::memory_order_relaxed);
    return;
  }
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
  std::size_t count = std::min(octets.size(), FirstBlock::most_octets);
  std::memcpy(first.octets, octets.data(), count);
  while (!(octets = octets.subspan(count)).empty()) {
    ++block;
    if (++place == layout_.blocks) place = 0;
    if (!claim(place, block)) [[unlikely]] {
      first.kind = static_cast<std::uint8_t>(PieceKind::nothing);
      std::atomic_ref(head().left_out).fetch_add(1, std::memory_order_relaxed);
      break;
    }
    count = std::min(octets.size(), NextBlock::most_octets);
    std::memcpy(reinterpret_cast<NextBlock*>(blocks_ + place * block_bytes)->octets, octets.data(), count);
    publish(place, block, BlockState::next);
  }
  publish(first_place, first_block, BlockState::first);
}

RecordingRing::Connection RecordingRing::open(std::string_view text, bool accepted) noexcept {
  const std::uint32_t number =
      std::atomic_ref(head().next_connection).fetch_add(1, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < layout_.connections; ++i) {
    const std::uint32_t at = (number + i) % layout_.connections;
    ConnectionEntry& entry = connections_[at];
    if (std::atomic_ref(entry.is_taken).exchange(1, std::memory_order_acquire) != 0) continue;
    const Turn turn(entry.turn);
    turn.store(turn.load(std::memory_order_relaxed) | 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    entry.number = number;
    entry.opened_ns = recording_time();
    entry.closed_ns = 0;
    entry.is_accepted = accepted;
    entry.text_size = static_cast<std::uint8_t>(text.copy(entry.text, ConnectionEntry::most_text));
    turn.store(turn.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    return {number, at};
  }
  std::atomic_ref(head().unnamed).fetch_add(1, std::memory_order_relaxed);
  return {number, -1};
}

void RecordingRing::close(const Connection& connection) noexcept {
  if (connection.entry < 0) return;
  ConnectionEntry& entry = connections_[connection.entry];
  std::atomic_ref(entry.closed_ns).store(recording_time(), std::memory_order_relaxed);
  std::atomic_ref(entry.is_taken).store(0, std::memory_order_release);
}

}  // namespace takt::recorder
