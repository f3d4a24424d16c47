#include "giop/receive_buffer.h"

#include <algorithm>

namespace takt::giop {

namespace {
constexpr std::size_t growth = 4;  // of the block, as a long message arrives
constexpr std::size_t min_large_bytes = 64 * 1024;
constexpr std::uint32_t small_rounds_before_trim = 64;  // so that long messages in a row find their block
}  // namespace

ReceiveBuffer::ReceiveBuffer() : block_(std::make_unique_for_overwrite<std::uint8_t[]>(first_bytes)) {}

void ReceiveBuffer::resize(std::size_t capacity) {
  auto block = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
  const std::size_t held = available();
  if (held != 0) std::memcpy(block.get(), front(), held);
  block_ = std::move(block);
  capacity_ = capacity;
  begin_ = 0;
  end_ = held;
}

MutableBytes ReceiveBuffer::make_space(std::size_t message_bytes) {
  const bool was_full = end_ == capacity_;  // so there may be more where this came from: a burst
  if (begin_ != 0) {
    const std::size_t held = available();
    if (held != 0) std::memmove(block_.get(), front(), held);
    begin_ = 0;
    end_ = held;
  }
  if (message_bytes > small_bytes) {
    small_rounds_ = 0;
  } else if (capacity_ > small_bytes && available() < small_bytes &&
             ++small_rounds_ >= small_rounds_before_trim) {
    resize(small_bytes);
  }
  if (capacity_ < small_bytes && (was_full || message_bytes > capacity_)) {
    resize(small_bytes);
  } else if (end_ == capacity_ || (end_ == 0 && message_bytes > capacity_)) {
    const std::size_t wanted = std::max(message_bytes, capacity_ + 1);
    resize(std::min(std::max(wanted, min_large_bytes), std::max(growth * capacity_, min_large_bytes)));
  }
  return {block_.get() + end_, capacity_ - end_};
}

void ReceiveBuffer::trim() {
  if (capacity_ > first_bytes && available() == 0) resize(first_bytes);
}

}  // namespace takt::giop
