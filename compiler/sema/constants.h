// Constant expressions (IDL 4.2, 7.4.1.4.3).
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "model/model.h"

namespace takt::idl {

using Folded = std::expected<Value, std::string>;  // the error is readable text

// `target` is the type that the expression is for, or null. The sign and width of the type determine the
// result of ~.
Folded apply_unary(std::string_view op, const Value& operand, const Type* target);
Folded apply_binary(std::string_view op, const Value& left, const Value& right);
// Converts the value to a type of the same family, if it is within the type's range.
Folded convert(const Value& value, const Type& type);
FixedValue parse_fixed(std::string_view digits);
std::string fixed_to_text(const FixedValue& value);
std::string integer_to_text(Int128 value);
// "a string", "an integer", ...; for messages.
const char* describe(const Value& value);
std::string describe(const Type& type);

struct IntegerRange {
  Int128 least, most;
};
// False if the type is not an integer.
bool integer_range(const Type& type, IntegerRange& range);

}  // namespace takt::idl
