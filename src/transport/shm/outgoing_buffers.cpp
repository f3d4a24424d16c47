#include "transport/shm/outgoing_buffers.h"

#include <algorithm>

namespace takt::transport {

namespace {
constexpr std::size_t page_bytes = 4096;
}

// An unused buffer, after reclaiming every buffer that is no longer lent or being read. Null if none.
OutgoingBuffers::Buffer* OutgoingBuffers::find_free() {
  Buffer* free = nullptr;
  for (std::size_t i = buffers_.size(); i-- > 0;) {
    Buffer& buffer = buffers_[i];
    if (buffer.lent || !is_done(i)) continue;
    buffer.begin = buffer.end = 0;
    free = &buffer;
  }
  return free;
}

// A buffer that overlaps the range; null if none.
const OutgoingBuffers::Buffer* OutgoingBuffers::find_within(std::size_t begin, std::size_t end) const {
  const auto found = std::ranges::find_if(
      buffers_, [&](const Buffer& buffer) { return buffer.begin < end && begin < buffer.end; });
  return found == buffers_.end() ? nullptr : &*found;
}

// First fit, so that few pages are touched, and these are reused.
OctetBuffer OutgoingBuffers::borrow(std::size_t bytes) {
  if (bytes == 0 || bytes > size_) return {};
  const std::size_t room = (bytes + page_bytes - 1) & ~(page_bytes - 1);
  const std::lock_guard lock(mutex_);
  Buffer* const buffer = find_free();
  if (!buffer) return {};
  std::size_t begin = 0;
  while (const Buffer* other = find_within(begin, begin + room)) begin = other->end;
  if (begin + room > size_) return {};
  buffer->begin = begin;
  buffer->end = begin + room;
  buffer->lent = true;
  return {{octets_ + begin, bytes}, shared_from_this(), static_cast<std::uint32_t>(buffer - buffers_.data())};
}

bool OutgoingBuffers::splice(ByteView octets, std::uint32_t position) {
  if (spliced_ - ring_.splices_taken.load(std::memory_order_acquire) >= SpliceControl::most) return false;
  const auto begin = static_cast<std::size_t>(octets.data() - octets_);
  std::size_t number;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(buffers_, [&](const Buffer& buffer) {
      return buffer.begin <= begin && begin + octets.size() <= buffer.end;
    });
    if (found == buffers_.end()) return false;
    ++found->splices;
    number = static_cast<std::size_t>(found - buffers_.begin());
  }
  SpliceControl::Entry& entry = control_.entries[spliced_ % SpliceControl::most];
  entry.position.store(position, std::memory_order_relaxed);
  entry.buffer.store(static_cast<std::uint32_t>(number), std::memory_order_relaxed);
  entry.begin.store(static_cast<std::uint32_t>(begin), std::memory_order_relaxed);
  entry.bytes.store(static_cast<std::uint32_t>(octets.size()), std::memory_order_relaxed);
  ring_.spliced.store(++spliced_, std::memory_order_release);
  return true;
}

void OutgoingBuffers::give_back(const std::uint8_t*, std::uint32_t buffer) noexcept {
  const std::lock_guard lock(mutex_);
  buffers_[buffer].lent = false;
}

bool OutgoingBuffers::is_shared(std::uint32_t buffer) const noexcept {
  const std::lock_guard lock(mutex_);
  return !is_done(buffer);
}

}  // namespace takt::transport
