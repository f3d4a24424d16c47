#include "tracing/span_ring.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "os/error_text.h"
#include "threads/thread.h"

namespace takt::tracing {

namespace {

std::string why(const os::MappedFile::Error& error) {
  if (error.other_contents) return "it exists and is not a file of spans; name another one";
  if (error.other_owner) return "it belongs to another user; name another one";
  if (error.number == EWOULDBLOCK)
    return "another ORB keeps its spans there; %p in the name gives each process a file of its own";
  return os::error_text(error.number);
}

}  // namespace

std::expected<std::unique_ptr<SpanRing>, std::string> SpanRing::create(std::string path, std::size_t spans,
                                                                       const os::FileOwner& owner) {
  auto file =
      os::MappedFile::create(os::with_process(std::move(path)),
                             span_file_head_bytes + spans * sizeof(SpanSlot), std::string(span_file_magic));
  if (!file) return std::unexpected(why(file.error()));
  return std::unique_ptr<SpanRing>(new SpanRing(std::move(*file), spans, owner));
}

// The magic comes last, so that a reader finds a whole head.
SpanRing::SpanRing(os::MappedFile file, std::size_t spans, const os::FileOwner& owner)
    : file_(std::move(file)),
      slots_(reinterpret_cast<SpanSlot*>(file_.data() + span_file_head_bytes)),
      count_(spans) {
  SpanFileHead& head = *new (file_.data()) SpanFileHead{};
  head.version = span_file_version;
  head.slot_bytes = sizeof(SpanSlot);
  head.slots = count_;
  head.origin.set(owner);
  std::atomic_thread_fence(std::memory_order_release);
  std::memcpy(head.magic, span_file_magic.data(), span_file_magic.size());
}

void SpanRing::put(const EndedSpan& span) noexcept {
  const std::uint64_t number = head().next.fetch_add(1, std::memory_order_relaxed);
  SpanSlot& slot = slots_[number % count_];
  std::uint64_t turn = slot.turn.load(std::memory_order_relaxed);
  const std::uint64_t writing = 2 * number + 1;
  // A slot that is being written, or was by a thread that came later, stays as it is.
  if (turn % 2 != 0 || turn > writing ||
      !slot.turn.compare_exchange_strong(turn, writing, std::memory_order_acquire)) {
    head().left_out.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  std::atomic_thread_fence(std::memory_order_release);
  slot.trace = span.ids.trace;
  slot.span = span.ids.span;
  slot.parent = span.parent;
  slot.start_ns = span.start.count();
  slot.duration_ns = std::max<std::int64_t>(span.duration.count(), 0);
  slot.thread = os::known_thread_number();
  slot.kind = static_cast<std::uint8_t>(span.kind);
  slot.failed = span.failed;
  char* at = slot.text;
  const auto put_text = [&](std::uint8_t& size, std::string_view text, std::size_t most) {
    size = static_cast<std::uint8_t>(text.copy(at, most));
    at += size;
  };
  put_text(slot.name_size, span.name, SpanSlot::most_name);
  put_text(slot.failure_size, span.failure, SpanSlot::most_failure);
  put_text(slot.peer_size, span.peer, SpanSlot::most_peer);
  slot.turn.store(writing + 1, std::memory_order_release);
}

}  // namespace takt::tracing
