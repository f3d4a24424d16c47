#include "naming_cluster/etcd/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace takt::etcd {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::uint8_t i = 0; i < digits.size(); ++i) values[static_cast<unsigned char>(digits[i])] = i;
  return values;
}
constexpr auto values = make_values();

// Appends the octets of up to three bytes as four characters.
void append_group(std::string& text, std::string_view group) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 3; ++i)
    bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0);
  for (std::size_t i = 0; i < 4; ++i) text += i <= group.size() ? digits[bits >> (18 - 6 * i) & 63] : '=';
}

}  // namespace

std::string to_base64(std::string_view octets) {
  std::string text;
  text.reserve((octets.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < octets.size(); at += 3) append_group(text, octets.substr(at, 3));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  text.remove_suffix(padding);
  std::string octets;
  octets.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;  // bits that are not in an octet yet
  for (const char digit : text) {
    const std::uint8_t value = values[static_cast<unsigned char>(digit)];
    if (value == no_digit) return std::nullopt;
    bits = bits << 6 | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    octets += static_cast<char>(bits >> held & 0xff);
    bits &= (1U << held) - 1;
  }
  if (bits != 0) return std::nullopt;
  return octets;
}

}  // namespace takt::etcd
