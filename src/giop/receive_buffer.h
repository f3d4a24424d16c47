// Octets of a connection that have arrived and have not been processed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include <takt/base/bytes.h>
#include <takt/base/memory_charge.h>

#include "cdr/body_tail.h"

namespace takt::giop {

// One block of memory. It is a quarter of a page at first, because most connections of a server are idle. It
// grows to a page, then as needed for long messages and bursts, and shrinks some time after the last of them.
// It grows with what has arrived, not with an announced size. A block of more than
// MemoryBudget::uncounted_bytes is charged to the budget. The end of the message at the front may be read to
// a tail, a block of its own.
class ReceiveBuffer {
 public:
  static constexpr std::size_t first_bytes = 1008;  // 1 KiB and 4 KiB with the allocator's overhead
  static constexpr std::size_t small_bytes = 4080;

  // `memory` may be null; it must outlive this object.
  explicit ReceiveBuffer(MemoryBudget* memory = nullptr);

  // Where to read the next octets to; never empty. `message_bytes`: the size of the message at the front, 0
  // if unknown. Invalidates views; allocates only for long messages and bursts. Throws std::bad_alloc if the
  // buffer is full and make_room() was not called before, or returned false.
  MutableBytes space(std::size_t message_bytes) {
    if (begin_ == end_ && capacity_ <= small_bytes && message_bytes <= capacity_) [[likely]] {
      begin_ = end_ = 0;
      return {block_.get(), capacity_};
    }
    return make_space(message_bytes);
  }
  void filled(std::size_t count) { end_ += count; }
  // Ensures that the next space() succeeds for the incomplete message at the front. Invalidates views.
  // Returns false if there is no memory for more of it.
  bool make_room(std::size_t message_bytes);

  // Moves the octets from offset `at` of the message at the front on to a tail, to which the rest is read.
  // Ends with take_head(). False, without effect: there is no memory for it.
  bool begin_tail(std::size_t at, std::size_t message_bytes);
  cdr::BodyTail* tail() const { return tail_ && tail_->begun() ? tail_.get() : nullptr; }
  bool reads_tail() const { return head_bytes_ != 0; }
  // Like take(), for the part of the message before its tail. The tail stays until it is dropped.
  ByteView take_head();
  void drop_tail() { tail_->drop(); }

  const std::uint8_t* front() const { return block_.get() + begin_; }
  std::size_t available() const { return end_ - begin_; }  // including those in the tail

  // After make_room() has failed: whether other messages use the memory at present.
  bool fits_later() const { return fits_later_; }

  // Removes the first `count` octets and returns them, aligned to 8 in memory. Valid until the next take() or
  // space().
  std::uint8_t* take(std::size_t count) {
    std::uint8_t* message = block_.get() + begin_;
    const std::size_t off = begin_ % 8;
    begin_ += count;
    if (off != 0) [[unlikely]] {  // a message before this one has been processed
      std::memmove(message - off, message, count);
      message -= off;
    }
    return message;
  }
  // Undoes the take() of all that was available.
  void put_back(const std::uint8_t* message, std::size_t count) {
    begin_ = static_cast<std::size_t>(message - block_.get());
    end_ = begin_ + count;
  }
  // If the buffer is empty and the block is longer than `keep_bytes`, replaces it by one of `next_bytes`. For
  // idle connections.
  void trim(std::size_t keep_bytes = first_bytes, std::size_t next_bytes = first_bytes);
  std::size_t capacity() const { return capacity_; }

 private:
  MutableBytes make_space(std::size_t message_bytes);
  bool grow(std::size_t message_bytes);
  bool resize(std::size_t capacity);

  MemoryCharge memory_;
  std::unique_ptr<std::uint8_t[]> block_;
  std::size_t capacity_ = first_bytes;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool fits_later_ = false;
  std::size_t head_bytes_ = 0;           // the octets before the tail, if one is read
  std::unique_ptr<cdr::BodyTail> tail_;  // once there was a tail
  std::uint32_t small_rounds_ = 0;       // since the large block was last needed
};

}  // namespace takt::giop
