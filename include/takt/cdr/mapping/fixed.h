// IDL's fixed<digits, scale>.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include <takt/cdr/codec.h>
#include <takt/cdr/mapping/decimal.h>
#include <takt/cdr/mapping/traits.h>

namespace IDL {

// A number of at most D digits, S of them fraction digits. Arithmetic is done on Decimals and is exact up to
// 31 digits. Assignment cuts off digits beyond S, and throws DATA_CONVERSION for more than D - S whole
// digits. It is large because the mapping gives the type these operators and conversions.
template <std::uint16_t D, std::uint16_t S>
class Fixed {
  static_assert(D <= 31 && S <= D, "IDL allows 31 digits");

 public:
  constexpr Fixed() = default;
  constexpr Fixed(const Decimal& value) : digits_(value.truncated(S).digits()) {  // NOLINT: meant to convert
    if (digits_ >= Decimal::power(D) || -digits_ >= Decimal::power(D)) Decimal::overflow();
  }
  template <std::uint16_t D2, std::uint16_t S2>
  constexpr Fixed(const Fixed<D2, S2>& other) : Fixed(other.decimal()) {}  // NOLINT: meant to convert
  template <std::integral I>
  constexpr Fixed(I value) : Fixed(Decimal(value, 0)) {}  // NOLINT: meant to convert
  template <std::floating_point F>
  explicit Fixed(F value) : Fixed(Decimal::from(static_cast<long double>(value), S)) {}
  constexpr explicit Fixed(std::string_view text) : Fixed(Decimal::parse(text)) {}

  constexpr Decimal decimal() const { return Decimal(digits_, S); }
  constexpr operator Decimal() const { return decimal(); }  // NOLINT: meant to convert
  template <std::floating_point F>
  explicit operator F() const {
    return static_cast<F>(decimal().to_long_double());
  }
  // The whole part, without the fraction. Throws DATA_CONVERSION if an I cannot hold it.
  template <std::integral I>
    requires(!std::is_same_v<I, bool>)
  constexpr explicit operator I() const {
    const decimal_integer whole = decimal().truncated(0).digits();
    if (whole < std::numeric_limits<I>::min() || whole > std::numeric_limits<I>::max()) Decimal::overflow();
    return static_cast<I>(whole);
  }
  constexpr explicit operator bool() const { return digits_ != 0; }
  constexpr bool operator!() const { return digits_ == 0; }
  std::string to_string() const { return decimal().to_string(); }
  static constexpr std::uint16_t fixed_digits() { return D; }
  static constexpr std::uint16_t fixed_scale() { return S; }
  // To `scale` fraction digits; unchanged if it has no more than these.
  constexpr Fixed round(std::uint16_t scale) const {
    return scale < S ? Fixed(decimal().rounded(scale)) : *this;
  }
  constexpr Fixed truncate(std::uint16_t scale) const {
    return scale < S ? Fixed(decimal().truncated(scale)) : *this;
  }

  constexpr Fixed operator+() const { return *this; }
  constexpr Fixed& operator++() { return *this += Decimal(1); }
  constexpr Fixed& operator--() { return *this -= Decimal(1); }
  constexpr Fixed operator++(int) {
    const Fixed before = *this;
    ++*this;
    return before;
  }
  constexpr Fixed operator--(int) {
    const Fixed before = *this;
    --*this;
    return before;
  }
  constexpr Fixed& operator+=(const Decimal& value) { return *this = decimal() + value; }
  constexpr Fixed& operator-=(const Decimal& value) { return *this = decimal() - value; }
  constexpr Fixed& operator*=(const Decimal& value) { return *this = decimal() * value; }
  constexpr Fixed& operator/=(const Decimal& value) { return *this = decimal() / value; }

  template <class Out>
  void _write_to(Out& out) const {
    out << to_string();
  }
  // Reads a word. Throws DATA_CONVERSION, and leaves `value` unchanged, if that is no such number.
  template <class In>
    requires requires(In& in, std::string& word) { in >> word; }
  friend In& operator>>(In& in, Fixed& value) {
    if (std::string word; in >> word) value = Fixed(word);
    return in;
  }

 private:
  decimal_integer digits_ = 0;
};

template <std::uint16_t D, std::uint16_t S>
struct traits<Fixed<D, S>> : detail::common_traits<Fixed<D, S>> {
  using digits = std::integral_constant<std::uint16_t, D>;
  using scale = std::integral_constant<std::uint16_t, S>;
};

}  // namespace IDL

// Decimal digits, four bits each, and a sign (CORBA 3.0.3, 15.3.2.8).
template <std::uint16_t D, std::uint16_t S>
struct takt::cdr::Codec<IDL::Fixed<D, S>> {
  using T = IDL::Fixed<D, S>;
  static constexpr std::size_t size = D / 2 + 1;
  static constexpr std::size_t min_size = 1;  // see get_fixed

  static void write(Encoder& encoder, const T& value) {
    std::array<std::uint8_t, size> octets{};
    IDL::decimal_integer rest = value.decimal().digits();
    octets[size - 1] = rest < 0 ? 0xd : 0xc;
    if (rest < 0) rest = -rest;
    for (std::size_t nibble = 2 * size - 1; nibble-- > 0; rest /= 10)
      octets[nibble / 2] = static_cast<std::uint8_t>(octets[nibble / 2] | static_cast<unsigned>(rest % 10)
                                                                              << (nibble % 2 == 0 ? 4 : 0));
    encoder.put_octets(octets);
  }
  static bool read(Decoder& decoder, T& value) {
    value = T();
    std::array<std::uint8_t, size> octets;
    if (!decoder.get_fixed(octets)) return false;
    if (D % 2 == 0 && octets[0] >= 0x10) {
      decoder.fail(Error::bad_value);
      return false;
    }
    IDL::decimal_integer digits = 0;
    for (std::size_t nibble = 0; nibble < 2 * size - 1; ++nibble)
      digits = digits * 10 + (nibble % 2 == 0 ? octets[nibble / 2] >> 4 : octets[nibble / 2] & 15);
    value = T(IDL::Decimal((octets[size - 1] & 15) == 0xd ? -digits : digits, S));
    return true;
  }
};
