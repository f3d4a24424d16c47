// CORBA::Fixed of the classic mapping.
#include <takt/classic/fixed.h>

#include <istream>
#include <ostream>
#include <string>

#include <takt/classic/string.h>

#include "classic/bridge/fixed_bridge.h"

namespace CORBA {
inline namespace takt_classic_ {

namespace bridge = takt::classic::decimal;

namespace {

// Text may begin with spaces.
const char* beyond_spaces(const char* text) {
  while (text && *text == ' ') ++text;
  return text;
}

}  // namespace

Fixed::Fixed(int value) : Fixed(bridge::of_signed(value)) {}
Fixed::Fixed(unsigned value) : Fixed(bridge::of_unsigned(value)) {}
Fixed::Fixed(long value) : Fixed(bridge::of_signed(value)) {}
Fixed::Fixed(unsigned long value) : Fixed(bridge::of_unsigned(value)) {}
Fixed::Fixed(long long value) : Fixed(bridge::of_signed(value)) {}
Fixed::Fixed(unsigned long long value) : Fixed(bridge::of_unsigned(value)) {}
Fixed::Fixed(Double value) : Fixed(bridge::of_real(static_cast<LongDouble>(value))) {}
Fixed::Fixed(LongDouble value) : Fixed(bridge::of_real(value)) {}
Fixed::Fixed(const char* text) : Fixed(bridge::parse(beyond_spaces(text))) {}
Fixed::Fixed(const Fixed& from) : Fixed(from.words_) {}
Fixed::Fixed(UShort digit_limit, UShort scale_limit, const Fixed& value)
    : words_(bridge::limited(value.words_, digit_limit, scale_limit)),
      digit_limit_(digit_limit),
      scale_limit_(scale_limit) {}
void Fixed::set(const takt::classic::DecimalWords& words) {
  words_ = digit_limit_ ? bridge::limited(words, digit_limit_, scale_limit_) : words;
}
Fixed& Fixed::operator=(const Fixed& from) {
  set(from.words_);
  return *this;
}

Fixed::operator LongLong() const { return bridge::whole(words_); }
Fixed::operator LongDouble() const { return bridge::real(words_); }
Fixed Fixed::round(UShort scale) const { return Fixed(bridge::rounded(words_, scale)); }
Fixed Fixed::truncate(UShort scale) const { return Fixed(bridge::truncated(words_, scale)); }

Fixed& Fixed::operator+=(const Fixed& other) { return *this = *this + other; }
Fixed& Fixed::operator-=(const Fixed& other) { return *this = *this - other; }
Fixed& Fixed::operator*=(const Fixed& other) { return *this = *this * other; }
Fixed& Fixed::operator/=(const Fixed& other) { return *this = *this / other; }
Fixed Fixed::operator++(int) {
  const Fixed before(*this);
  ++*this;
  return before;
}
Fixed Fixed::operator--(int) {
  const Fixed before(*this);
  --*this;
  return before;
}
Fixed Fixed::operator-() const { return Fixed(bridge::negated(words_)); }

UShort Fixed::fixed_digits() const { return bridge::digits(words_); }
char* Fixed::to_string() const { return string_dup(bridge::text(words_).c_str()); }

Fixed operator+(const Fixed& one, const Fixed& other) {
  return Fixed(bridge::sum(one._takt_words(), other._takt_words()));
}
Fixed operator-(const Fixed& one, const Fixed& other) {
  return Fixed(bridge::sum(one._takt_words(), bridge::negated(other._takt_words())));
}
Fixed operator*(const Fixed& one, const Fixed& other) {
  return Fixed(bridge::product(one._takt_words(), other._takt_words()));
}
Fixed operator/(const Fixed& one, const Fixed& other) {
  return Fixed(bridge::quotient(one._takt_words(), other._takt_words()));
}
#define TAKT_CLASSIC_DEFINE(OPERATOR)                                          \
  Boolean operator OPERATOR(const Fixed& one, const Fixed& other) {            \
    return bridge::compare(one._takt_words(), other._takt_words()) OPERATOR 0; \
  }
TAKT_CLASSIC_DEFINE(==)
TAKT_CLASSIC_DEFINE(!=)
TAKT_CLASSIC_DEFINE(<)
TAKT_CLASSIC_DEFINE(>)
TAKT_CLASSIC_DEFINE(<=)
TAKT_CLASSIC_DEFINE(>=)
#undef TAKT_CLASSIC_DEFINE

std::ostream& operator<<(std::ostream& out, const Fixed& value) {
  return out << bridge::text(value._takt_words());
}
std::istream& operator>>(std::istream& in, Fixed& value) {
  std::string word;
  if (in >> word) value = Fixed(word.c_str());
  return in;
}

}  // namespace takt_classic_
}  // namespace CORBA
