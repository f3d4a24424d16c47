// Decimal numbers of up to 31 digits, for the arithmetic of IDL's fixed.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace IDL {

__extension__ typedef __int128 decimal_integer;  // NOLINT: "using" would cause a warning

// digits * 10^-scale, exact. Results of more than 31 digits lose trailing fraction digits (CORBA 3.0.3,
// 7.4.13.4.5 of IDL); if they still do not fit, DATA_CONVERSION is thrown.
class Decimal {
 public:
  static constexpr int max_digits = 31;

  constexpr Decimal() = default;
  template <std::integral I>
  constexpr Decimal(I value) : digits_(value) {}  // NOLINT: meant to convert
  constexpr Decimal(decimal_integer digits, int scale) : digits_(digits), scale_(scale) { fit(); }

  // Parses text such as 12.50, -3 or +.5, with an optional final d. Throws DATA_CONVERSION for anything else.
  static constexpr Decimal parse(std::string_view text) {
    Decimal result;
    bool negative = false, point = false, any = false;
    if (!text.empty() && (text.back() == 'd' || text.back() == 'D')) text.remove_suffix(1);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
      negative = text.front() == '-';
      text.remove_prefix(1);
    }
    for (const char c : text) {
      if (c == '.' && !point) {
        point = true;
      } else if (c >= '0' && c <= '9') {
        any = true;
        if (result.digits_ >= power(max_digits - 1)) {
          if (!point) overflow();
          continue;  // digits beyond the precision
        }
        result.digits_ = result.digits_ * 10 + (c - '0');
        result.scale_ += point;
      } else {
        overflow();
      }
    }
    if (!any) overflow();
    result.fit();  // text may have any number of zeros
    if (negative) result.digits_ = -result.digits_;
    return result;
  }
  // The nearest value with that scale.
  static Decimal from(long double value, int scale);

  constexpr decimal_integer digits() const { return digits_; }
  constexpr int scale() const { return scale_; }
  // The same value with that scale, or max_digits if that is less: further digits are cut off, or rounded
  // half away from zero. Throws DATA_CONVERSION if the value then has more than max_digits.
  constexpr Decimal truncated(int scale) const { return rescaled(scale, false); }
  constexpr Decimal rounded(int scale) const { return rescaled(scale, true); }

  long double to_long_double() const;
  std::string to_string() const;

  friend constexpr Decimal operator+(const Decimal& a, const Decimal& b) { return sum(a, b); }
  friend constexpr Decimal operator-(const Decimal& a) { return Decimal(-a.digits_, a.scale_); }
  friend constexpr Decimal operator-(const Decimal& a, const Decimal& b) { return a + -b; }
  friend constexpr Decimal operator*(const Decimal& a, const Decimal& b) { return product(a, b); }
  friend constexpr Decimal operator/(const Decimal& a, const Decimal& b) { return quotient(a, b); }

  friend constexpr std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
    // Compares whole parts first: a common scale might need more digits than there are.
    const decimal_integer whole_a = a.whole(), whole_b = b.whole();
    return whole_a != whole_b ? order(whole_a, whole_b) : order(a.fraction(), b.fraction());
  }
  friend constexpr bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }

  static constexpr decimal_integer power(int exponent) {
    decimal_integer result = 1;
    while (exponent-- > 0) result *= 10;
    return result;
  }
  [[noreturn]] static void overflow();

 private:
  static constexpr std::strong_ordering order(decimal_integer a, decimal_integer b) {
    return a < b   ? std::strong_ordering::less
           : a > b ? std::strong_ordering::greater
                   : std::strong_ordering::equal;
  }
  static constexpr int length(decimal_integer value) {
    int digits = 0;
    for (; value != 0; value /= 10) ++digits;
    return digits;
  }
  // The digits before the point, and those behind it, with zeros up to max_digits.
  constexpr decimal_integer whole() const { return digits_ / power(scale_); }
  constexpr decimal_integer fraction() const { return digits_ % power(scale_) * power(max_digits - scale_); }
  constexpr Decimal rescaled(int scale, bool round) const {
    if (scale > max_digits) scale = max_digits;
    Decimal result;
    result.scale_ = scale;
    if (scale >= scale_) {
      if (length(digits_) + scale - scale_ > max_digits) {
        if (digits_ != 0) overflow();
      } else {
        result.digits_ = digits_ * power(scale - scale_);
      }
      return result;
    }
    const decimal_integer unit = power(scale_ - scale);
    result.digits_ = digits_ / unit;
    if (round) {
      const decimal_integer rest = digits_ % unit;
      if ((rest < 0 ? -rest : rest) * 2 >= unit) result.digits_ += digits_ < 0 ? -1 : 1;
    }
    return result;
  }
  constexpr void fit() {
    while (scale_ > max_digits || (scale_ > 0 && length(digits_) > max_digits)) {
      digits_ /= 10;
      --scale_;
    }
    for (; scale_ < 0; ++scale_) {
      if (length(digits_) >= max_digits) overflow();
      digits_ *= 10;
    }
    if (length(digits_) > max_digits) overflow();
  }
  // Exact, and cut off only then: whole digits and fractions are added apart, because the sum may have 62.
  static constexpr Decimal sum(const Decimal& a, const Decimal& b) {
    const decimal_integer one = power(max_digits);
    decimal_integer whole = a.whole() + b.whole(), fraction = a.fraction() + b.fraction();
    whole += fraction / one;
    fraction %= one;
    if (whole > 0 && fraction < 0) {
      --whole;
      fraction += one;
    } else if (whole < 0 && fraction > 0) {
      ++whole;
      fraction -= one;
    }
    const int room = max_digits - length(whole);
    if (room < 0) overflow();
    const int wanted = a.scale_ > b.scale_ ? a.scale_ : b.scale_;
    const int scale = wanted < room ? wanted : room;
    return Decimal(whole * power(scale) + fraction / power(max_digits - scale), scale);
  }
  // Uses limbs of 16 digits, because the product may have 62.
  static constexpr Decimal product(const Decimal& a, const Decimal& b) {
    const bool negative = (a.digits_ < 0) != (b.digits_ < 0);
    const decimal_integer limb = power(16);
    const decimal_integer x = a.digits_ < 0 ? -a.digits_ : a.digits_,
                          y = b.digits_ < 0 ? -b.digits_ : b.digits_;
    decimal_integer low = x % limb * (y % limb);
    decimal_integer middle = x / limb * (y % limb) + x % limb * (y / limb) + low / limb;
    decimal_integer high = x / limb * (y / limb) + middle / limb;
    low %= limb;
    middle %= limb;
    int scale = a.scale_ + b.scale_;
    while (high != 0) {  // until the product fits into middle and low
      if (scale == 0) overflow();
      low = (low + middle % 10 * limb) / 10;
      middle = (middle + high % 10 * limb) / 10;
      high /= 10;
      --scale;
    }
    const decimal_integer digits = middle * limb + low;
    return Decimal(negative ? -digits : digits, scale);
  }
  static constexpr Decimal quotient(const Decimal& a, const Decimal& b) {
    if (b.digits_ == 0) overflow();
    decimal_integer digits = a.digits_ / b.digits_, rest = a.digits_ % b.digits_;
    int scale = a.scale_ - b.scale_;
    while (rest != 0 && length(digits) < max_digits && scale < max_digits) {
      rest *= 10;
      digits = digits * 10 + rest / b.digits_;
      rest %= b.digits_;
      ++scale;
    }
    return Decimal(digits, scale);
  }

  decimal_integer digits_ = 0;
  int scale_ = 0;
};

// Declared at namespace scope too, so that types that convert to Decimal find them.
constexpr Decimal operator+(const Decimal& a, const Decimal& b);
constexpr Decimal operator-(const Decimal& a);
constexpr Decimal operator-(const Decimal& a, const Decimal& b);
constexpr Decimal operator*(const Decimal& a, const Decimal& b);
constexpr Decimal operator/(const Decimal& a, const Decimal& b);
constexpr std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
constexpr bool operator==(const Decimal& a, const Decimal& b);

}  // namespace IDL
