// Arithmetic of fixed-point constants (IDL 4.2, 7.4.1.4.3).
#pragma once

#include <optional>
#include <string_view>

#include "model/model.h"

namespace takt::idl {

// Computes a + b, a - b, a * b, or a / b with b not 0. The result is exact or, if it has more than 31 digits,
// truncated to 31: the digits at the end of its fraction are lost. Nothing if more than 31 digits are before
// the decimal point. Both operands have at most 37 digits.
std::optional<FixedValue> fixed_arithmetic(char op, const FixedValue& a, const FixedValue& b);

// Removes zeros at the end of the fraction.
void shorten(FixedValue& value);

}  // namespace takt::idl
