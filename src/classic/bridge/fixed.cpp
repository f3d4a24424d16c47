// The runtime's decimal numbers for the classic mapping.
#include "classic/bridge/fixed_bridge.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <takt/cdr/codec.h>
#include <takt/cdr/mapping/decimal.h>

#include "classic/bridge/runtime.h"

namespace takt::classic {

namespace {

using IDL::Decimal;
using IDL::decimal_integer;

__extension__ typedef unsigned __int128 unsigned_integer;  // NOLINT: "using" would cause a warning

constexpr std::size_t most_octets = Decimal::max_digits / 2 + 1;

decimal_integer number(const DecimalWords& words) {
  const auto high = static_cast<unsigned_integer>(static_cast<std::uint64_t>(words.high));
  return static_cast<decimal_integer>(high << 64 | words.low);
}
Decimal decimal_of(const DecimalWords& words) { return Decimal(number(words), words.scale); }
DecimalWords words_of(decimal_integer number, int scale) {
  for (; scale > 0 && number % 10 == 0; --scale) number /= 10;
  const auto bits = static_cast<unsigned_integer>(number);
  return {static_cast<std::int64_t>(static_cast<std::uint64_t>(bits >> 64)), static_cast<std::uint64_t>(bits),
          scale};
}
DecimalWords words_of(const Decimal& decimal) { return words_of(decimal.digits(), decimal.scale()); }

}  // namespace

namespace decimal {

DecimalWords of_signed(std::int64_t value) { return words_of(value, 0); }
DecimalWords of_unsigned(std::uint64_t value) { return words_of(value, 0); }
DecimalWords of_real(long double value) {
  return translating([&] {
    if (!(std::fabs(value) < 1e32L)) Decimal::overflow();  // also what is no number
    std::array<char, 80> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed,
                                   Decimal::max_digits);
    return words_of(Decimal::parse({text.data(), static_cast<std::size_t>(end.ptr - text.data())}));
  });
}
DecimalWords parse(const char* text) {
  return translating([&] {
    if (!text) Decimal::overflow();
    return words_of(Decimal::parse(text));
  });
}
std::int64_t whole(const DecimalWords& words) {
  return translating([&] {
    const decimal_integer whole = decimal_of(words).truncated(0).digits();
    if (whole < std::numeric_limits<std::int64_t>::min() || whole > std::numeric_limits<std::int64_t>::max())
      Decimal::overflow();
    return static_cast<std::int64_t>(whole);
  });
}
long double real(const DecimalWords& words) { return decimal_of(words).to_long_double(); }
std::string text(const DecimalWords& words) { return decimal_of(words).to_string(); }
std::uint16_t digits(const DecimalWords& words) {
  std::uint16_t count = 0;
  for (decimal_integer rest = number(words); rest != 0; rest /= 10) ++count;
  return count < words.scale ? static_cast<std::uint16_t>(words.scale) : count;
}

DecimalWords sum(const DecimalWords& one, const DecimalWords& other) {
  return translating([&] { return words_of(decimal_of(one) + decimal_of(other)); });
}
DecimalWords product(const DecimalWords& one, const DecimalWords& other) {
  return translating([&] { return words_of(decimal_of(one) * decimal_of(other)); });
}
DecimalWords quotient(const DecimalWords& one, const DecimalWords& other) {
  return translating([&] { return words_of(decimal_of(one) / decimal_of(other)); });
}
DecimalWords negated(const DecimalWords& words) { return words_of(-number(words), words.scale); }
DecimalWords rounded(const DecimalWords& words, std::uint16_t scale) {
  if (scale >= words.scale) return words;
  return translating([&] { return words_of(decimal_of(words).rounded(scale)); });
}
DecimalWords truncated(const DecimalWords& words, std::uint16_t scale) {
  return scale >= words.scale ? words : words_of(decimal_of(words).truncated(scale));
}
DecimalWords limited(const DecimalWords& words, std::uint16_t digits, std::uint16_t scale) {
  return translating([&] {
    const decimal_integer limit = Decimal::power(digits - scale);
    const decimal_integer whole = decimal_of(words).truncated(0).digits();
    if (whole >= limit || -whole >= limit) Decimal::overflow();
    return truncated(words, scale);
  });
}
int compare(const DecimalWords& one, const DecimalWords& other) {
  const auto order = decimal_of(one) <=> decimal_of(other);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

}  // namespace decimal

void write_fixed(Writer& out, const DecimalWords& words, CORBA::UShort digits, CORBA::UShort scale) {
  std::array<std::uint8_t, most_octets> octets{};
  const std::size_t size = digits / 2u + 1;
  decimal_integer rest = number(words) * Decimal::power(scale - words.scale);
  octets[size - 1] = rest < 0 ? 0xd : 0xc;
  if (rest < 0) rest = -rest;
  for (std::size_t nibble = 2 * size - 1; nibble-- > 0; rest /= 10)
    octets[nibble / 2] = static_cast<std::uint8_t>(octets[nibble / 2] | static_cast<unsigned>(rest % 10)
                                                                            << (nibble % 2 == 0 ? 4 : 0));
  encoder(out).put_octets({octets.data(), size});
}

void read_fixed(Reader& in, DecimalWords& words, CORBA::UShort digits, CORBA::UShort scale) {
  words = {0, 0, 0};
  std::array<std::uint8_t, most_octets> octets;
  const std::size_t size = digits / 2u + 1;
  cdr::Decoder& from = decoder(in);
  if (!from.get_fixed({octets.data(), size})) return;
  if (digits % 2 == 0 && octets[0] >= 0x10) return from.fail(cdr::Error::bad_value);
  decimal_integer number = 0;
  for (std::size_t nibble = 0; nibble < 2 * size - 1; ++nibble)
    number = number * 10 + (nibble % 2 == 0 ? octets[nibble / 2] >> 4 : octets[nibble / 2] & 15);
  words = words_of((octets[size - 1] & 15) == 0xd ? -number : number, scale);
}

}  // namespace takt::classic
