// Encoder of CDR (CORBA 3.0.3, 15.3).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/error.h>
#include <takt/cdr/format.h>

namespace takt::cdr {

template <class T>
concept Primitive = std::is_arithmetic_v<T> && !std::is_same_v<T, long double>;

namespace detail {
template <class T>
T swapped(T value) {
  if constexpr (sizeof(T) == 1) {
    return value;
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(__builtin_bswap16(std::bit_cast<std::uint16_t>(value)));
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(__builtin_bswap32(std::bit_cast<std::uint32_t>(value)));
  } else {
    return std::bit_cast<T>(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
  }
}
}  // namespace detail

struct ValueEncoding;

// Appends to a buffer that it does not own; CDR index 0 is the buffer's first octet. Padding is zero. Errors
// are sticky: data written after a failure may be missing, so check ok() before sending. One thread at a
// time. It is large because each kind of value that generated code encodes has a function.
class Encoder {
 public:
  explicit Encoder(GatherBuffer& buffer, const Format& format = {}) : buffer_(buffer), format_(format) {}
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder() {
    if (values_) [[unlikely]]
      drop_values();
  }

  const Format& format() const { return format_; }
  GatherBuffer& buffer() { return buffer_; }
  std::size_t position() const { return buffer_.size(); }
  bool swaps() const { return format_.order != native_order; }
  bool ok() const { return error_ == Error::none; }
  Error error() const { return error_; }
  void fail(Error error) {
    if (ok()) error_ = error;
  }

  void align(std::size_t to) {
    const std::size_t padding = (0 - position()) & (to - 1);
    buffer_.ensure(8);
    std::memset(buffer_.cursor(), 0, 8);
    buffer_.advance_to(buffer_.cursor() + padding);
  }

  template <class T>
    requires Primitive<T> && (!std::is_same_v<T, wchar_t> && !std::is_same_v<T, char>)
  void put(T value) {
    buffer_.ensure(16);
    std::uint8_t* cursor = buffer_.cursor();
    if constexpr (sizeof(T) > 1) {
      std::memset(cursor, 0, 8);
      cursor += (0 - position()) & (sizeof(T) - 1);
      if (swaps()) value = detail::swapped(value);
    }
    std::memcpy(cursor, &value, sizeof value);
    buffer_.advance_to(cursor + sizeof value);
  }
  void put(char value) {
    if (static_cast<signed char>(value) < 0) [[unlikely]]
      return put_converted(value);
    put(static_cast<std::uint8_t>(value));
  }
  void put(wchar_t value);
  void put(long double value);

  // Converts to the transmission code set.
  void put_string(std::string_view text);
  void put_wstring(std::wstring_view text);
  // Without conversion: repository ids, operation names.
  void put_raw_string(std::string_view text);
  void put_count(std::size_t count) {
    if (count > UINT32_MAX) [[unlikely]]
      fail(Error::too_long);
    put(static_cast<std::uint32_t>(count));
  }

  // Octets without conversion. Long runs are borrowed and must stay unchanged until the message is sent. Runs
  // shorter than least_borrowed_bytes are always copied, so they may be temporary.
  static constexpr std::size_t borrow_threshold_bytes = 8192, least_borrowed_bytes = 1024;
  void put_octets(ByteView octets) {
    if (octets.size() >= borrow_from_bytes_)
      buffer_.borrow(octets);
    else
      put_copied(octets);
  }
  // The same, but long runs are copied, too, so they may be temporary.
  void put_copied(ByteView octets) { buffer_.append(octets.data(), octets.size()); }
  // Elements without a count.
  template <Primitive T>
    requires(!std::is_same_v<T, wchar_t>)
  void put_array(const T* elements, std::size_t count) {
    if (count == 0) return;
    if constexpr (sizeof(T) > 1) align(sizeof(T));
    if (sizeof(T) == 1 || !swaps())
      put_octets({reinterpret_cast<const std::uint8_t*>(elements), count * sizeof(T)});
    else
      for (std::size_t i = 0; i < count; ++i) put(elements[i]);
  }
  // For all that is written from now on.
  void set_order(ByteOrder order) { format_.order = order; }
  // For values that are written from now on.
  void set_value_form(ValueForm form) { format_.values = form; }
  void set_borrowing(bool on) { borrow_from_bytes_ = on ? borrow_threshold_bytes : SIZE_MAX; }
  // Sets the size from which runs are borrowed; at least least_borrowed_bytes.
  void borrow_from(std::size_t bytes) { borrow_from_bytes_ = bytes; }

  // Writes an encapsulation: its byte order, then what `write` writes, with its own alignment.
  template <class Write>
  void put_encapsulation(Write&& write) {
    GatherBuffer inner(256);
    Encoder encoder(inner, format_);
    encoder.set_borrowing(false);
    encoder.put(static_cast<std::uint8_t>(format_.order));
    write(encoder);
    if (!encoder.ok()) fail(encoder.error());
    put_count(inner.size());
    buffer_.append(inner.owned(), inner.owned_size());
  }

 private:
  void put_converted(char value);
  void drop_values();
  friend class ValueWriter;

  GatherBuffer& buffer_;
  Format format_;
  ValueEncoding* values_ = nullptr;
  Error error_ = Error::none;
  std::size_t borrow_from_bytes_ = borrow_threshold_bytes;
};

// The octets of an encapsulation, without the count that precedes it in a stream.
template <class Write>
std::vector<std::uint8_t> encapsulate(Write&& write, const Format& format = {}) {
  GatherBuffer buffer(256);
  Encoder encoder(buffer, format);
  encoder.set_borrowing(false);
  encoder.put(static_cast<std::uint8_t>(format.order));
  write(encoder);
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

}  // namespace takt::cdr
