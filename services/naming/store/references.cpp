#include "naming/store/references.h"

#include <array>
#include <cstdint>

#include "octets/hex.h"

namespace takt::naming {
namespace {

constexpr std::string_view scheme = "IOR:";

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(0xff);
  for (std::uint8_t i = 0; i < 16; ++i) values[static_cast<unsigned char>(octets::hex_digits[i])] = i;
  for (std::uint8_t i = 10; i < 16; ++i) values[static_cast<std::size_t>('A' + i - 10)] = i;
  return values;
}
constexpr auto values = make_values();

}  // namespace

std::string to_hex(std::string_view octets) {
  std::string text;
  octets::append_hex(text, octets);
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
  octets::append_hex(text, octets);
  return orb.string_to_object(text);
}

}  // namespace takt::naming
