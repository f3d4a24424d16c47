// Exact decimal numbers of a model, and times from them.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "mast/syntax.h"
#include "schedulability/model/types.h"

namespace takt::scheduling::mast {

// mantissa * 10^exponent, not negative.
struct Decimal {
  std::int64_t mantissa = 0;
  int exponent = 0;
  bool is_zero() const { return mantissa == 0; }
};
inline constexpr Decimal one{1, 0};

// At most 18 significant digits, and an exponent of two digits.
Decimal decimal_of(const Value& value);
std::int64_t whole_number_of(const Value& value, std::int64_t least, std::int64_t most);

enum class Rounding { up, down };
// The number of units, divided by all divisors, in nanoseconds. Throws Wrong at `at` if that exceeds
// longest_time; divisors are not zero.
Time time_of(Decimal number, Time unit, std::initializer_list<Decimal> divisors, Rounding rounding, Place at);

}  // namespace takt::scheduling::mast
