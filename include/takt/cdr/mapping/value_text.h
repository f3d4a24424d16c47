// A text into which values are printed.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace takt::cdr {

// An output of IDL::write() with an end: beyond 4,000 octets nothing is added, and the text ends with "...".
// Characters of values that could control a terminal become \xHH. May throw std::bad_alloc. Not thread-safe.
class ValueText {
 public:
  ValueText& operator<<(std::string_view text) {
    add(text);
    return *this;
  }
  ValueText& operator<<(const char* text) { return *this << std::string_view(text); }
  ValueText& operator<<(const std::string& text) { return *this << std::string_view(text); }
  ValueText& operator<<(char character) {
    add_character(character);
    return *this;
  }
  ValueText& operator<<(bool value) { return *this << (value ? "true" : "false"); }
  template <std::integral T>
  ValueText& operator<<(T value) {
    return *this << std::string_view(std::to_string(value));
  }
  ValueText& operator<<(float value) { return *this << static_cast<double>(value); }
  ValueText& operator<<(double value);
  ValueText& operator<<(long double value) { return *this << static_cast<double>(value); }

  bool is_full() const { return is_full_; }
  std::string take() && { return std::move(text_); }

 private:
  void add(std::string_view text);
  void add_character(char character);

  std::string text_;
  bool is_full_ = false;
};

// Keeps the text of a user exception's what(), which is valid until the next call of what(). Copies share it.
// One thread at a time may call keep().
class ExceptionText {
 public:
  const char* keep(std::string text) const;

 private:
  mutable std::shared_ptr<const std::string> text_;
};

}  // namespace takt::cdr
