// The octets of a connection that have arrived and have not been dealt with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include <takt/base/bytes.h>

namespace takt::giop {

// One block of memory: a quarter of a page until there is more to hold, since most connections of a server
// are idle nearly always; then small, long for long messages, and small again some time after the last of
// them. It grows with what has arrived, not with what a header announces.
class ReceiveBuffer {
 public:
  static constexpr std::size_t first_bytes = 1008;  // with what an allocator adds, 1 KiB and 4 KiB
  static constexpr std::size_t small_bytes = 4080;

  ReceiveBuffer();

  // Room for what is read next; never empty. `message_bytes`: the size of the message at the front, 0 while
  // it is not known. Invalidates views; allocates only for long messages.
  MutableBytes space(std::size_t message_bytes) {
    if (begin_ == end_ && capacity_ <= small_bytes && message_bytes <= capacity_) [[likely]] {
      begin_ = end_ = 0;
      return {block_.get(), capacity_};
    }
    return make_space(message_bytes);
  }
  void filled(std::size_t count) { end_ += count; }

  const std::uint8_t* front() const { return block_.get() + begin_; }
  std::size_t available() const { return end_ - begin_; }

  // Takes the first `count` octets out, at a multiple of 8 in memory. Valid until the next take() or space().
  std::uint8_t* take(std::size_t count) {
    std::uint8_t* message = block_.get() + begin_;
    const std::size_t off = begin_ % 8;
    begin_ += count;
    if (off != 0) [[unlikely]] {  // some message stands in front of this one, and has been dealt with
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
  // Back to the small block if nothing is in it; for connections that fall idle.
  void trim();

 private:
  MutableBytes make_space(std::size_t message_bytes);
  void resize(std::size_t capacity);

  std::unique_ptr<std::uint8_t[]> block_;
  std::size_t capacity_ = first_bytes;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint32_t small_rounds_ = 0;  // since the large block was last needed
};

}  // namespace takt::giop
