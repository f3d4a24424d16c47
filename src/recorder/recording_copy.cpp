// Copies a ring while threads write to it.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "recorder/recording_ring.h"

namespace takt::recorder {

namespace {

// Copies an entry of the connections, or a block, that begins with its turn. False: it changed meanwhile. Not
// inlined, so that ThreadSanitizer's list of exceptions can name it.
[[gnu::noinline]] bool copy_one(const std::uint8_t* from, std::uint8_t* to, std::size_t size) {
  const std::atomic_ref turn(*reinterpret_cast<std::uint64_t*>(const_cast<std::uint8_t*>(from)));
  const std::uint64_t before = turn.load(std::memory_order_acquire);
  std::memcpy(to, from, size);
  std::atomic_thread_fence(std::memory_order_acquire);
  std::memcpy(to, &before, sizeof before);
  return turn.load(std::memory_order_relaxed) == before;
}

}  // namespace

// The magic comes last, so that a reader finds a whole file.
std::optional<RecordingRing::Error> RecordingRing::copy_to(const std::string& path,
                                                           std::string_view reason) const {
  const auto file = os::MappedFile::create(path, layout_.file_bytes(), std::string(recording_magic));
  if (!file) return error_of(file.error());
  RecordingHead& copy = *new (file->data()) RecordingHead{};
  copy.version = head().version;
  copy.connections = head().connections;
  copy.blocks = head().blocks;
  copy.message_bytes = head().message_bytes;
  copy.origin = head().origin;
  copy.next_block = std::atomic_ref(head().next_block).load(std::memory_order_relaxed);
  copy.left_out = std::atomic_ref(head().left_out).load(std::memory_order_relaxed);
  copy.next_connection = std::atomic_ref(head().next_connection).load(std::memory_order_relaxed);
  copy.unnamed = std::atomic_ref(head().unnamed).load(std::memory_order_relaxed);
  copy.copied_ns = recording_time();
  copy.reason_size = static_cast<std::uint8_t>(reason.copy(copy.reason, RecordingHead::most_reason));
  std::size_t at = head_bytes;
  const auto copy_all = [&](std::uint64_t count, std::size_t size) {
    for (std::uint64_t i = 0; i < count; ++i, at += size)
      if (!copy_one(file_.data() + at, file->data() + at, size)) std::memset(file->data() + at, 0, size);
  };
  copy_all(layout_.connections, sizeof(ConnectionEntry));
  copy_all(layout_.blocks, block_bytes);
  std::atomic_thread_fence(std::memory_order_release);
  std::memcpy(copy.magic, recording_magic.data(), recording_magic.size());
  return std::nullopt;
}

}  // namespace takt::recorder
