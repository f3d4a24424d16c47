// Constant expressions (IDL 4.2, 7.4.1.4.3).
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "model/model.h"

namespace takt::idl {

using Folded = std::expected<Value, std::string>;  // the error is for people

// `target`, which may be null, is what the expression is for: ~ depends on its sign and width.
Folded apply_unary(std::string_view op, const Value& operand, const Type* target);
Folded apply_binary(std::string_view op, const Value& left, const Value& right);
// The value as one of the type: within its range, of its family.
Folded convert(const Value& value, const Type& type);
FixedValue parse_fixed(std::string_view digits);
std::string fixed_to_text(const FixedValue& value);
std::string integer_to_text(Int128 value);
// "a string", "an integer", for messages.
const char* describe(const Value& value);
std::string describe(const Type& type);

struct IntegerRange {
  Int128 least, most;
};
// False for types that are not integers.
bool integer_range(const Type& type, IntegerRange& range);

}  // namespace takt::idl
