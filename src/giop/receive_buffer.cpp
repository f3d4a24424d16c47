#include "giop/receive_buffer.h"

#include <algorithm>
#include <new>
#include <utility>

namespace takt::giop {

namespace {
constexpr std::size_t growth = 4;  // factor by which the block grows for a long message
constexpr std::size_t min_large_bytes = 64 * 1024;
constexpr std::uint32_t small_rounds_before_trim = 64;  // lets consecutive long messages reuse the block
}  // namespace

ReceiveBuffer::ReceiveBuffer(MemoryBudget* memory)
    : memory_(memory), block_(std::make_unique_for_overwrite<std::uint8_t[]>(first_bytes)) {}

// Both blocks are charged while one is copied to the other. Returns false, without effect, if there is no
// memory.
bool ReceiveBuffer::resize(std::size_t capacity) {
  if (capacity > capacity_ && !memory_.resize(memory_.bytes() + capacity)) {
    fits_later_ = memory_.could_resize(memory_.bytes() + capacity);
    return false;
  }
  std::unique_ptr<std::uint8_t[]> block(new (std::nothrow) std::uint8_t[capacity]);
  if (!block) {
    memory_.shrink(capacity_);
    fits_later_ = false;
    return false;
  }
  const std::size_t held = available();
  if (held != 0) std::memcpy(block.get(), front(), held);
  block_ = std::move(block);
  capacity_ = capacity;
  begin_ = 0;
  end_ = held;
  memory_.shrink(capacity);
  return true;
}

bool ReceiveBuffer::grow(std::size_t message_bytes) {
  if (capacity_ < small_bytes) return resize(small_bytes);
  const std::size_t wanted = std::max({message_bytes, capacity_ + 1, min_large_bytes});
  const std::size_t step = std::max(growth * capacity_, min_large_bytes);
  return resize(wanted <= step + step / 4 ? wanted : step);  // the last step may be a little larger
}

bool ReceiveBuffer::begin_tail(std::size_t at, std::size_t message_bytes) {
  if (!tail_) tail_ = std::make_unique<cdr::BodyTail>(memory_.budget());
  if (!tail_->begin(ByteView(front(), available()).subspan(at), message_bytes - at)) return false;
  head_bytes_ = at;
  return true;
}

ByteView ReceiveBuffer::take_head() {
  end_ = begin_ + head_bytes_;
  const std::size_t count = std::exchange(head_bytes_, 0);
  return {take(count), count};
}

bool ReceiveBuffer::make_room(std::size_t message_bytes) {
  if (!reads_tail()) return available() < capacity_ || grow(message_bytes);
  const bool has_room = tail_->make_room(available() - head_bytes_);
  fits_later_ = tail_->fits_later();
  return has_room;
}

MutableBytes ReceiveBuffer::make_space(std::size_t message_bytes) {
  if (reads_tail()) return tail_->space(available() - head_bytes_);
  const bool was_full = end_ == capacity_;  // more octets may be waiting: a burst
  const bool was_long = message_bytes > small_bytes || end_ > small_bytes;
  if (begin_ != 0) {
    std::copy_n(front(), available(), block_.get());
    end_ -= std::exchange(begin_, 0);
  }
  if (was_long) {
    small_rounds_ = 0;
  } else if (capacity_ > small_bytes && available() < small_bytes &&
             ++small_rounds_ >= small_rounds_before_trim) {
    resize(small_bytes);
  }
  const bool may_burst = was_full && capacity_ <= small_bytes, lacks = message_bytes > capacity_;
  const bool wants_more = may_burst || (lacks && (capacity_ < small_bytes || end_ == 0));
  if ((wants_more || end_ == capacity_) && !grow(message_bytes) && end_ == capacity_) throw std::bad_alloc();
  return {block_.get() + end_, capacity_ - end_};
}

void ReceiveBuffer::trim(std::size_t keep_bytes, std::size_t next_bytes) {
  if (tail_) tail_->trim(keep_bytes);
  if (capacity_ > std::max(keep_bytes, next_bytes) && available() == 0) resize(next_bytes);
}

}  // namespace takt::giop
