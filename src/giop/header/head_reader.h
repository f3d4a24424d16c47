// Reads the fields before a message's body, in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <takt/base/bytes.h>
#include <takt/cdr/format.h>

namespace takt::giop {

// A cursor over a message, or an encapsulation, whose first octet is CDR index 0. Each function returns false
// if there are too few octets; the reader must then not be used again. Swap: the message has the other byte
// order.
template <bool Swap>
class HeadReader {
 public:
  HeadReader(const std::uint8_t* message, std::size_t bytes, std::size_t index)
      : message_(message), end_(bytes), index_(index) {}

  std::size_t index() const { return index_; }
  const std::uint8_t* at() const { return message_ + index_; }

  bool u8(std::uint8_t& value) {
    if (index_ >= end_) return false;
    value = message_[index_++];
    return true;
  }
  bool u16(std::uint16_t& value) {
    const std::size_t from = (index_ + 1) & ~std::size_t{1};
    if (from + 2 > end_) return false;
    std::memcpy(&value, message_ + from, sizeof value);
    if constexpr (Swap) value = __builtin_bswap16(value);
    index_ = from + 2;
    return true;
  }
  bool u32(std::uint32_t& value) {
    const std::size_t from = (index_ + 3) & ~std::size_t{3};
    if (from + 4 > end_) return false;
    std::memcpy(&value, message_ + from, sizeof value);
    if constexpr (Swap) value = __builtin_bswap32(value);
    index_ = from + 4;
    return true;
  }
  bool u64(std::uint64_t& value) {
    const std::size_t from = (index_ + 7) & ~std::size_t{7};
    if (from + 8 > end_) return false;
    std::memcpy(&value, message_ + from, sizeof value);
    if constexpr (Swap) value = __builtin_bswap64(value);
    index_ = from + 8;
    return true;
  }
  // A sequence<octet>, or a string with its NUL.
  bool octets(ByteView& value) {
    std::uint32_t count = 0;
    if (!u32(count) || count > end_ - index_) return false;
    value = {message_ + index_, count};
    index_ += count;
    return true;
  }
  bool skip(std::size_t count) {
    if (count > end_ - index_) return false;
    index_ += count;
    return true;
  }

 private:
  const std::uint8_t* message_;
  std::size_t end_;
  std::size_t index_;
};

// Reads an encapsulation in either byte order: calls read(HeadReader&), which returns false for malformed
// data.
template <class Read>
bool open_encapsulation(ByteView data, Read read) {
  if (data.empty() || data[0] > 1) return false;
  if (static_cast<cdr::ByteOrder>(data[0]) == cdr::native_order) {
    HeadReader<false> in(data.data(), data.size(), 1);
    return read(in);
  }
  HeadReader<true> in(data.data(), data.size(), 1);
  return read(in);
}

}  // namespace takt::giop
