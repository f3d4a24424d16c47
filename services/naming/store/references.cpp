#include "naming/store/references.h"

#include <array>
#include <cstdint>

namespace takt::naming {
namespace {

constexpr std::string_view scheme = "IOR:";
constexpr char digits[] = "0123456789abcdef";

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(0xff);
  for (std::uint8_t i = 0; i < 16; ++i) values[static_cast<unsigned char>(digits[i])] = i;
  for (std::uint8_t i = 10; i < 16; ++i) values[static_cast<std::size_t>('A' + i - 10)] = i;
  return values;
}
constexpr auto values = make_values();

void append_hex(std::string& text, std::string_view octets) {
  const auto begin = text.size();
  text.resize(begin + 2 * octets.size());
  char* to = text.data() + begin;
  for (const char c : octets) {
    const auto octet = static_cast<unsigned char>(c);
    *to++ = digits[octet >> 4];
    *to++ = digits[octet & 15];
  }
}

}  // namespace

std::string to_hex(std::string_view octets) {
  std::string text;
  append_hex(text, octets);
  return text;
}

std::string from_hex(std::string_view text) {
  if (text.size() % 2) return {};
  std::string octets(text.size() / 2, '\0');
  for (std::size_t i = 0; i < octets.size(); ++i) {
    const std::uint8_t high = values[static_cast<unsigned char>(text[2 * i])];
    const std::uint8_t low = values[static_cast<unsigned char>(text[2 * i + 1])];
    if ((high | low) > 15) return {};
    octets[i] = static_cast<char>(high << 4 | low);
  }
  return octets;
}

std::string octets_of(CORBA::ORB& orb, const CORBA::object_reference<CORBA::Object>& object) {
  return from_hex(std::string_view(orb.object_to_string(object)).substr(scheme.size()));
}

CORBA::object_reference<CORBA::Object> object_of(CORBA::ORB& orb, std::string_view octets) {
  std::string text(scheme);
  append_hex(text, octets);
  return orb.string_to_object(text);
}

}  // namespace takt::naming
