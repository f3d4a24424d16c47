#include "mast/numbers.h"

#include <algorithm>
#include <string>

#include "schedulability/model/words.h"

namespace takt::scheduling::mast {
namespace {

__extension__ typedef __int128 Int128;

constexpr int most_digits = 18;

[[noreturn]] void no_number(const Value& value, const std::string& wanted) {
  throw Wrong{value.at, "expected " + wanted + ", not " + describe(value)};
}

int exponent_of(std::string_view text, const Value& value) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int exponent = 0;
  for (const char c : text) {
    exponent = exponent * 10 + (c - '0');
    if (exponent > 99) throw Wrong{value.at, "the exponent of '" + value.text + "' has more than two digits"};
  }
  return negative ? -exponent : exponent;
}

// A factor of a fraction: multiplies by mantissa * 10^exponent. Returns false on overflow.
bool multiply_by(Int128& product, std::int64_t mantissa, int exponent) {
  if (__builtin_mul_overflow(product, static_cast<Int128>(mantissa), &product)) return false;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(product, static_cast<Int128>(10), &product)) return false;
  return true;
}

}  // namespace

namespace {

// The digits and the point before an exponent.
Decimal mantissa_of(std::string_view text, const Value& value) {
  Decimal number;
  int digits = 0;
  bool after_point = false;
  for (const char c : text) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    if ((digits > 0 || c != '0') && ++digits > most_digits)
      throw Wrong{value.at, "'" + value.text + "' has more than " + std::to_string(most_digits) + " digits"};
    number.mantissa = number.mantissa * 10 + (c - '0');
    if (after_point) --number.exponent;
  }
  return number;
}

}  // namespace

Decimal decimal_of(const Value& value) {
  if (value.form != Value::Form::number) no_number(value, "a number");
  std::string_view text = value.text;
  if (text.starts_with('-')) throw Wrong{value.at, "'" + value.text + "' is negative"};
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  Decimal number = mantissa_of(text.substr(0, end), value);
  if (end < text.size()) number.exponent += exponent_of(text.substr(end + 1), value);
  // Trailing zeros would only make products overflow.
  while (number.mantissa != 0 && number.mantissa % 10 == 0) {
    number.mantissa /= 10;
    ++number.exponent;
  }
  if (number.mantissa == 0) number.exponent = 0;
  return number;
}

std::int64_t whole_number_of(const Value& value, std::int64_t least, std::int64_t most) {
  const std::string wanted = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  if (value.form != Value::Form::number || value.text.starts_with('-')) no_number(value, wanted);
  const Decimal number = decimal_of(value);
  Int128 product = 1;
  if (number.exponent < 0 || !multiply_by(product, number.mantissa, number.exponent) || product < least ||
      product > most)
    no_number(value, wanted);
  return static_cast<std::int64_t>(product);
}

Time time_of(Decimal number, Time unit, std::initializer_list<Decimal> divisors, Rounding rounding,
             Place at) {
  if (number.is_zero()) return Time(0);
  int exponent = number.exponent;
  Int128 over = 1, under = 1;
  bool fits_under = true;
  for (const Decimal& each : divisors) {
    exponent -= each.exponent;
    fits_under = fits_under && multiply_by(under, each.mantissa, 0);
  }
  const bool fits_over = multiply_by(over, number.mantissa, 0) && multiply_by(over, unit.count(), 0) &&
                         multiply_by(over, 1, std::max(exponent, 0));
  if (!fits_over || !fits_under)
    throw Wrong{at, "the time is too long, or has too many digits, to be analysed"};
  // A denominator that overflows exceeds any numerator.
  if (!multiply_by(under, 1, std::max(-exponent, 0))) return Time(rounding == Rounding::up ? 1 : 0);
  Int128 whole = over / under;
  if (rounding == Rounding::up && over % under != 0) ++whole;
  if (whole > longest_time.count())
    throw Wrong{at, "the time is longer than can be analysed, " + text_of(longest_time)};
  return Time(static_cast<std::int64_t>(whole));
}

}  // namespace takt::scheduling::mast
