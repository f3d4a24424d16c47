// IDL's fixed in the classic mapping: CORBA::Fixed, and the type of fixed<digits, scale>. C++14.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <type_traits>

#include <takt/classic/basic_types.h>

namespace takt {
namespace classic {

// The decimal number (high * 2^64 + low) * 10^-scale.
struct DecimalWords {
  std::int64_t high;
  std::uint64_t low;
  std::int32_t scale;
};

}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

// A decimal number of at most 31 digits. Arithmetic is exact up to 31 digits; a result with more loses
// fraction digits at its end. DATA_CONVERSION is thrown for a number whose whole digits do not fit, for text
// that is no number, and for a division by zero. A variable of a type fixed<D, S> keeps its limits: whatever
// is assigned to it loses digits beyond S. It is large because the mapping gives the type these operators and
// conversions.
class Fixed {
 public:
  Fixed(int value = 0);
  Fixed(unsigned value);
  Fixed(long value);
  Fixed(unsigned long value);
  Fixed(long long value);
  Fixed(unsigned long long value);
  Fixed(Double value);
  Fixed(LongDouble value);
  // Text such as 12.50, -3 or +.5, with an optional final d.
  Fixed(const char* text);
  Fixed(const Fixed& from);  // without the limits of `from`
  Fixed& operator=(const Fixed& from);

  operator LongLong() const;  // without the fraction
  operator LongDouble() const;
  // Both return numbers without limits.
  Fixed round(UShort scale) const;  // half away from zero
  Fixed truncate(UShort scale) const;

  Fixed& operator+=(const Fixed& other);
  Fixed& operator-=(const Fixed& other);
  Fixed& operator*=(const Fixed& other);
  Fixed& operator/=(const Fixed& other);
  Fixed& operator++() { return *this += Fixed(1); }
  Fixed operator++(int);
  Fixed& operator--() { return *this -= Fixed(1); }
  Fixed operator--(int);
  Fixed operator+() const { return Fixed(*this); }
  Fixed operator-() const;
  Boolean operator!() const { return words_.high == 0 && words_.low == 0; }

  // Those that the number needs, without zeros at its ends: 0 and 0 for zero.
  UShort fixed_digits() const;
  UShort fixed_scale() const { return static_cast<UShort>(words_.scale); }
  char* to_string() const;  // the caller's

  const takt::classic::DecimalWords& _takt_words() const { return words_; }
  explicit Fixed(const takt::classic::DecimalWords& words)
      : words_(words), digit_limit_(0), scale_limit_(0) {}

 protected:
  Fixed(UShort digit_limit, UShort scale_limit, const Fixed& value);
  void set(const takt::classic::DecimalWords& words);

 private:
  takt::classic::DecimalWords words_;
  UShort digit_limit_, scale_limit_;  // 0, 0: none
};

Fixed operator+(const Fixed& one, const Fixed& other);
Fixed operator-(const Fixed& one, const Fixed& other);
Fixed operator*(const Fixed& one, const Fixed& other);
Fixed operator/(const Fixed& one, const Fixed& other);
Boolean operator==(const Fixed& one, const Fixed& other);
Boolean operator!=(const Fixed& one, const Fixed& other);
Boolean operator<(const Fixed& one, const Fixed& other);
Boolean operator>(const Fixed& one, const Fixed& other);
Boolean operator<=(const Fixed& one, const Fixed& other);
Boolean operator>=(const Fixed& one, const Fixed& other);
std::ostream& operator<<(std::ostream& out, const Fixed& value);
// Reads a word. Throws DATA_CONVERSION, and leaves `value` unchanged, if that is no number.
std::istream& operator>>(std::istream& in, Fixed& value);

typedef Fixed& Fixed_out;

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

// `words` have at most `scale` digits of fraction and at most `digits` - `scale` others.
void write_fixed(Writer& out, const DecimalWords& words, CORBA::UShort digits, CORBA::UShort scale);
void read_fixed(Reader& in, DecimalWords& words, CORBA::UShort digits, CORBA::UShort scale);

// fixed<Digits, Scale>.
template <CORBA::UShort Digits, CORBA::UShort Scale>
class FixedNumber : public CORBA::Fixed {
 public:
  FixedNumber() : CORBA::Fixed(Digits, Scale, CORBA::Fixed()) {}
  template <class T,
            class = typename std::enable_if<std::is_convertible<const T&, CORBA::Fixed>::value>::type>
  FixedNumber(const T& value) : CORBA::Fixed(Digits, Scale, CORBA::Fixed(value)) {}
  FixedNumber(const FixedNumber& from) : CORBA::Fixed(Digits, Scale, from) {}
  FixedNumber& operator=(const FixedNumber&) = default;

  void _takt_write(Writer& out) const { write_fixed(out, _takt_words(), Digits, Scale); }
  void _takt_read(Reader& in) {
    DecimalWords words;
    read_fixed(in, words, Digits, Scale);
    set(words);
  }
};

}  // namespace classic
}  // namespace takt
