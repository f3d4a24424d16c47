#include "sema/fixed_arithmetic.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace takt::idl {

namespace {

constexpr std::size_t most_digits = 31;

// Decimal digits, the lowest first. In a sum or product they are not from 0 to 9 before carry() has run.
using Digits = std::vector<int>;

Digits digits_of(Int128 value) {
  Digits digits;
  for (; value != 0; value /= 10) digits.push_back(static_cast<int>(value % 10));
  return digits;
}

// Makes all digits 0 to 9 but the last, which has the sign of the number.
void carry(Digits& digits) {
  int over = 0;
  for (int& digit : digits) {
    digit += over;
    over = (digit - (digit % 10 + 10) % 10) / 10;
    digit -= over * 10;
  }
  digits.push_back(over);
}

std::optional<FixedValue> result_of(Digits digits, int scale) {
  carry(digits);
  const bool negative = digits.back() < 0;
  if (negative) {
    for (int& digit : digits) digit = -digit;
    carry(digits);
  }
  while (!digits.empty() && digits.back() == 0) digits.pop_back();
  std::size_t first = digits.size() - std::min(digits.size(), most_digits);
  if (scale > static_cast<int>(most_digits)) first = std::max(first, scale - most_digits);
  if (first > static_cast<std::size_t>(scale)) return std::nullopt;
  FixedValue result{0, scale - static_cast<int>(first)};
  for (std::size_t i = digits.size(); i > first; --i) result.digits = result.digits * 10 + digits[i - 1];
  if (negative) result.digits = -result.digits;
  shorten(result);
  return result;
}

std::optional<FixedValue> sum(const FixedValue& a, const FixedValue& b, int sign_of_b) {
  const int scale = std::max(a.scale, b.scale);
  Digits total;
  for (const auto& [value, sign] : {std::pair{a, 1}, {b, sign_of_b}}) {
    const Digits digits = digits_of(value.digits);
    const auto shift = static_cast<std::size_t>(scale - value.scale);
    total.resize(std::max(total.size(), digits.size() + shift));
    for (std::size_t i = 0; i < digits.size(); ++i) total[i + shift] += sign * digits[i];
  }
  return result_of(std::move(total), scale);
}

std::optional<FixedValue> product(const FixedValue& a, const FixedValue& b) {
  const Digits left = digits_of(a.digits), right = digits_of(b.digits);
  Digits total(left.size() + right.size());
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t k = 0; k < right.size(); ++k) total[i + k] += left[i] * right[k];
  return result_of(std::move(total), a.scale + b.scale);
}

// Long division, one digit at a time, until 31 digits are known.
std::optional<FixedValue> quotient(const FixedValue& a, const FixedValue& b) {
  Int128 digits = a.digits / b.digits, rest = a.digits % b.digits;
  int scale = a.scale - b.scale;
  for (std::size_t known = digits_of(digits).size();
       (rest != 0 && known < most_digits && scale < static_cast<int>(most_digits)) || scale < 0; ++scale) {
    if (known > most_digits) return std::nullopt;
    rest *= 10;
    digits = digits * 10 + rest / b.digits;
    rest %= b.digits;
    known += digits != 0;
  }
  Digits all = digits_of(digits);
  return result_of(std::move(all), scale);
}

}  // namespace

void shorten(FixedValue& value) {
  while (value.scale > 0 && value.digits % 10 == 0) {
    value.digits /= 10;
    --value.scale;
  }
}

std::optional<FixedValue> fixed_arithmetic(char op, const FixedValue& a, const FixedValue& b) {
  switch (op) {
    case '+':
      return sum(a, b, 1);
    case '-':
      return sum(a, b, -1);
    case '*':
      return product(a, b);
    default:
      return quotient(a, b);
  }
}

}  // namespace takt::idl
