#include "recorder/recording_ring.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "os/error_text.h"
#include "recorder/ring_writing.h"

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

constexpr std::uint64_t most_run = 16;
// A run is at most this part of the ring.
constexpr std::uint64_t runs_of_ring = 512;
// A writer whose part of the ring's blocks is at least one of these takes more at a time.
constexpr std::uint64_t busy_writers = 64;

}  // namespace

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
      most_run_(
          static_cast<std::uint32_t>(std::clamp<std::uint64_t>(layout_.blocks / runs_of_ring, 1, most_run))),
      most_age_(std::min(layout_.blocks / 2, most_blocks_behind)),
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

// A writer that seldom writes takes no more than it needs, because what it leaves unused is lost to others.
[[gnu::noinline]] void RecordingRing::take(Run& run, std::uint64_t count) noexcept {
  std::atomic_ref next_block(head().next_block);
  const bool is_busy =
      next_block.load(std::memory_order_relaxed) - run.taken_ <= busy_writers * std::uint64_t{run.size_};
  run.size_ = is_busy ? std::min(run.size_ * 2, most_run_) : 1;
  count = std::max<std::uint64_t>(count, run.size_);
  const std::uint64_t first = next_block.fetch_add(count, std::memory_order_relaxed);
  run.taken_ = first;
  if (first != run.end_ || run.next_ == run.end_) {  // it does not adjoin the rest of the run
    run.next_ = first;
    run.place_ = first % layout_.blocks;
  }
  run.end_ = first + count;
}

// A thread that has stopped a turn of the ring ago is still writing there, or the other process after a
// fork() has had the same run.
[[gnu::cold, gnu::noinline]] void RecordingRing::put_elsewhere(const Piece& piece, Run& run) noexcept {
  run.next_ = run.end_;
  if (!write(piece, run)) std::atomic_ref(head().left_out).fetch_add(1, std::memory_order_relaxed);
}

RecordingRing::Connection RecordingRing::open(std::string_view text, bool accepted) noexcept {
  const std::uint32_t number =
      std::atomic_ref(head().next_connection).fetch_add(1, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < layout_.connections; ++i) {
    const std::uint32_t at = (number + i) % layout_.connections;
    ConnectionEntry& entry = connections_[at];
    if (std::atomic_ref(entry.is_taken).exchange(1, std::memory_order_acquire) != 0) continue;
    const std::atomic_ref turn(entry.turn);
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
