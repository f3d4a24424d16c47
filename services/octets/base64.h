// Octets as base64 (RFC 4648, 4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::octets {

namespace detail {

inline constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> values_of_base64_digits() {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::uint8_t i = 0; i < base64_digits.size(); ++i)
    values[static_cast<unsigned char>(base64_digits[i])] = i;
  return values;
}

}  // namespace detail

inline std::string to_base64(std::string_view octets) {
  std::string text;
  text.reserve((octets.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < octets.size(); at += 3) {
    const std::string_view group = octets.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= group.size() ? detail::base64_digits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

// As a string or a vector of octets. Nothing if the text is no base64 with padding, or has bits beyond its
// octets: two texts would mean the same octets.
template <class Octets = std::string>
std::optional<Octets> from_base64(std::string_view text) {
  static constexpr auto values = detail::values_of_base64_digits();
  if (text.size() % 4 != 0) return std::nullopt;
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  Octets octets;
  octets.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;  // bits that are not in an octet yet
  for (const char digit : text) {
    const std::uint8_t value = values[static_cast<unsigned char>(digit)];
    if (value == detail::no_digit) return std::nullopt;
    bits = bits << 6 | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    octets.push_back(static_cast<typename Octets::value_type>(bits >> held));
    bits &= (1u << held) - 1;
  }
  if (bits != 0) return std::nullopt;
  return octets;
}

}  // namespace takt::octets
