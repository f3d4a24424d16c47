// Little-endian CDR in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace takt::idl::description {

inline constexpr std::uint8_t little_endian = 1;  // the first octet of an encapsulation

// Aligned relative to its own first octet, as an encapsulation is.
class Octets {
 public:
  void align(std::size_t to) { text_.resize((text_.size() + to - 1) / to * to); }
  void octet(std::uint8_t value) { text_ += static_cast<char>(value); }
  // An integer of `size` octets: 1, 2, 4 or 8.
  void integer(std::uint64_t value, std::size_t size) {
    align(size);
    for (std::size_t i = 0; i < size; ++i) octet(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void ulong(std::size_t value) { integer(value, 4); }
  void string(std::string_view value) {
    ulong(value.size() + 1);
    text_ += value;
    octet(0);
  }
  // An octet sequence.
  void nested(const Octets& inner) {
    ulong(inner.size());
    text_ += inner.text_;
  }

  // Octets as they are, without alignment.
  void raw(std::string_view octets) { text_ += octets; }

  std::size_t size() const { return text_.size(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace takt::idl::description
