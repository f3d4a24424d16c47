#include "sema/constants.h"

#include <algorithm>
#include <cmath>

#include "sema/fixed_arithmetic.h"

namespace takt::idl {

namespace {

using Integer = Int128;

constexpr Integer most_u64 = UINT64_MAX;
constexpr Integer least_i64 = INT64_MIN;

std::unexpected<std::string> wrong(std::string text) { return std::unexpected(std::move(text)); }

Folded in_range(Integer value) {
  if (value > most_u64 || value < least_i64) return wrong("the result does not fit 64 bits");
  return Value{value};
}

Folded integers(std::string_view op, Integer a, Integer b) {
  if (op == "|") return Value{a | b};
  if (op == "^") return Value{a ^ b};
  if (op == "&") return Value{a & b};
  if (op == "<<" || op == ">>") {
    if (b < 0 || b >= 64) return wrong("a shift count must be from 0 to 63");
    return op == "<<" ? in_range(a * (Integer{1} << b)) : in_range(a >> b);
  }
  if (op == "+") return in_range(a + b);
  if (op == "-") return in_range(a - b);
  if (op == "*") {
    Integer product;
    if (__builtin_mul_overflow(a, b, &product)) return wrong("the result does not fit 64 bits");
    return in_range(product);
  }
  if (b == 0) return wrong("a division by zero");
  return in_range(op == "/" ? a / b : a % b);
}

Folded floats(std::string_view op, long double a, long double b) {
  if (op == "+") return Value{a + b};
  if (op == "-") return Value{a - b};
  if (op == "*") return Value{a * b};
  if (op == "/") {
    if (b == 0) return wrong("a division by zero");
    return Value{a / b};
  }
  return wrong("'" + std::string(op) + "' needs integers, not floating-point values");
}

Folded fixeds(std::string_view op, const FixedValue& a, const FixedValue& b) {
  if (op.size() != 1 || std::string_view("+-*/").find(op.front()) == std::string_view::npos)
    return wrong("'" + std::string(op) + "' needs integers");
  if (op == "/" && b.digits == 0) return wrong("a division by zero");
  const auto result = fixed_arithmetic(op.front(), a, b);
  if (!result) return wrong("a fixed value of over 31 digits");
  return Value{*result};
}

std::string kind_name(TypeKind kind) {
  constexpr std::pair<TypeKind, const char*> names[] = {{TypeKind::void_, "void"},
                                                        {TypeKind::boolean, "boolean"},
                                                        {TypeKind::char_, "char"},
                                                        {TypeKind::wchar, "wchar"},
                                                        {TypeKind::octet, "octet"},
                                                        {TypeKind::int8, "int8"},
                                                        {TypeKind::uint8, "uint8"},
                                                        {TypeKind::int16, "short"},
                                                        {TypeKind::uint16, "unsigned short"},
                                                        {TypeKind::int32, "long"},
                                                        {TypeKind::uint32, "unsigned long"},
                                                        {TypeKind::int64, "long long"},
                                                        {TypeKind::uint64, "unsigned long long"},
                                                        {TypeKind::float_, "float"},
                                                        {TypeKind::double_, "double"},
                                                        {TypeKind::long_double, "long double"},
                                                        {TypeKind::any, "any"},
                                                        {TypeKind::object, "Object"},
                                                        {TypeKind::value_base, "ValueBase"},
                                                        {TypeKind::typecode, "TypeCode"},
                                                        {TypeKind::string, "string"},
                                                        {TypeKind::wstring, "wstring"},
                                                        {TypeKind::fixed, "fixed"},
                                                        {TypeKind::sequence, "sequence"},
                                                        {TypeKind::map, "map"},
                                                        {TypeKind::array, "array"}};
  for (const auto& [of, name] : names)
    if (of == kind) return name;
  return "type";
}

Folded to_float(const Value& value, const Type& type) {
  long double number;
  if (const auto* given = std::get_if<long double>(&value.is))
    number = *given;
  else
    return wrong(std::string("a ") + kind_name(type.kind) + " constant needs a floating-point value, not " +
                 describe(value));
  // A literal a little above the greatest value is rounded to it, as 3.4028235e38 is for float.
  const bool fits = type.kind == TypeKind::float_    ? std::isfinite(static_cast<float>(number))
                    : type.kind == TypeKind::double_ ? std::isfinite(static_cast<double>(number))
                                                     : std::isfinite(number);
  if (!fits) return wrong("the value is too large for " + kind_name(type.kind));
  return Value{number};
}

Folded to_fixed(const Value& value, const Type& type) {
  const auto* given = std::get_if<FixedValue>(&value.is);
  if (!given)
    return wrong("a fixed constant needs a fixed value such as 1.5D, not " + std::string(describe(value)));
  FixedValue fixed = *given;
  if (type.digits == 0) return Value{fixed};
  while (fixed.scale > type.scale) {
    fixed.digits /= 10;
    --fixed.scale;
  }
  Integer limit = 1;  // at most 10^31: the scale is at most the type's here
  for (int i = 0; i < type.digits - type.scale + fixed.scale; ++i) limit *= 10;
  if (fixed.digits >= limit || fixed.digits <= -limit)
    return wrong("the value has more digits than " + describe(type));
  return Value{fixed};
}

// A bound counts characters. In a string these are UTF-8, whose later octets begin with the bits 10.
std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char octet) { return (static_cast<unsigned char>(octet) & 0xc0) != 0x80; }));
}
std::size_t characters_in(const std::wstring& text) { return text.size(); }

template <class Text>
Folded to_text(const Value& value, const Type& type, const char* name) {
  const auto* text = std::get_if<Text>(&value.is);
  if (!text)
    return wrong(std::string("a ") + name + " constant needs " +
                 (type.kind == TypeKind::string ? "a" : "a wide") + " string literal, not " +
                 describe(value));
  if (type.bound && characters_in(*text) > type.bound)
    return wrong("the text is longer than " + describe(type));
  return value;
}

}  // namespace

std::string integer_to_text(Int128 value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string digits;
  for (UInt128 rest = negative ? -static_cast<UInt128>(value) : static_cast<UInt128>(value); rest; rest /= 10)
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string fixed_to_text(const FixedValue& value) {
  std::string digits = integer_to_text(value.digits < 0 ? -value.digits : value.digits);
  const auto scale = static_cast<std::size_t>(value.scale);
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  if (scale) digits.insert(digits.size() - scale, ".");
  return value.digits < 0 ? "-" + digits : digits;
}

FixedValue parse_fixed(std::string_view text) {
  FixedValue value;
  bool fraction = false;
  int digits = 0;
  for (const char c : text) {
    if (c == '.') fraction = true;
    if (c < '0' || c > '9' || digits >= 37) continue;
    digits += digits || c != '0';
    value.digits = value.digits * 10 + (c - '0');
    value.scale += fraction;
  }
  shorten(value);
  return value;
}

const char* describe(const Value& value) {
  constexpr const char* names[] = {"no value",     "a boolean", "an integer",    "a floating-point value",
                                   "a character",  "a string",  "a wide string", "a fixed value",
                                   "an enumerator"};
  return names[value.is.index()];
}

std::string describe(const Type& type) {
  if (type.kind == TypeKind::named) return type.declaration->name;
  if (type.kind == TypeKind::fixed && type.digits)
    return "fixed<" + std::to_string(type.digits) + "," + std::to_string(type.scale) + ">";
  if ((type.kind == TypeKind::string || type.kind == TypeKind::wstring) && type.bound)
    return kind_name(type.kind) + "<" + std::to_string(type.bound) + ">";
  return kind_name(type.kind);
}

bool integer_range(const Type& type, IntegerRange& range) {
  switch (type.kind) {
    case TypeKind::octet:
    case TypeKind::uint8:
      range = {0, UINT8_MAX};
      return true;
    case TypeKind::int8:
      range = {INT8_MIN, INT8_MAX};
      return true;
    case TypeKind::int16:
      range = {INT16_MIN, INT16_MAX};
      return true;
    case TypeKind::uint16:
      range = {0, UINT16_MAX};
      return true;
    case TypeKind::int32:
      range = {INT32_MIN, INT32_MAX};
      return true;
    case TypeKind::uint32:
      range = {0, UINT32_MAX};
      return true;
    case TypeKind::int64:
      range = {INT64_MIN, INT64_MAX};
      return true;
    case TypeKind::uint64:
      range = {0, UINT64_MAX};
      return true;
    default:
      return false;
  }
}

namespace {

// The complement of an unsigned type with n >= 32 bits is 2^n - 1 - value; of other types, -(value + 1)
// (7.4.1.4.3).
Folded complement(Integer value, const Type* target) {
  IntegerRange range;
  const bool has_range = target && integer_range(*target, range);
  const bool is_unsigned = has_range ? range.least == 0 : value > INT64_MAX;
  const Integer most = has_range && is_unsigned ? std::max(range.most, Integer{UINT32_MAX}) : most_u64;
  if (is_unsigned && value >= 0 && value <= most) return Value{most - value};
  return in_range(~value);
}

}  // namespace

Folded apply_unary(std::string_view op, const Value& operand, const Type* target) {
  const auto* integer = std::get_if<Integer>(&operand.is);
  if (op == "~") {
    if (integer) return complement(*integer, target);
    return wrong("'~' needs an integer, not " + std::string(describe(operand)));
  }
  const bool negates = op == "-";
  if (integer) return negates ? in_range(-*integer) : operand;
  if (const auto* number = std::get_if<long double>(&operand.is)) return Value{negates ? -*number : *number};
  if (const auto* fixed = std::get_if<FixedValue>(&operand.is))
    return Value{FixedValue{negates ? -fixed->digits : fixed->digits, fixed->scale}};
  return wrong("'" + std::string(op) + "' needs a number, not " + describe(operand));
}

Folded apply_binary(std::string_view op, const Value& left, const Value& right) {
  if (left.is.index() != right.is.index())
    return wrong("'" + std::string(op) + "' mixes " + describe(left) + " and " + describe(right));
  if (const auto* a = std::get_if<Integer>(&left.is)) return integers(op, *a, std::get<Integer>(right.is));
  if (const auto* a = std::get_if<long double>(&left.is))
    return floats(op, *a, std::get<long double>(right.is));
  if (const auto* a = std::get_if<FixedValue>(&left.is))
    return fixeds(op, *a, std::get<FixedValue>(right.is));
  return wrong("'" + std::string(op) + "' needs numbers, not " + describe(left));
}

namespace {

Folded to_integer(const Value& value, const Type& declared, const IntegerRange& range) {
  const auto* integer = std::get_if<Integer>(&value.is);
  if (!integer)
    return wrong(kind_name(declared.resolved().kind) + " needs an integer, not " + describe(value));
  if (*integer >= range.least && *integer <= range.most) return value;
  return wrong(integer_to_text(*integer) + " is out of the range of " + describe(declared) + ", " +
               integer_to_text(range.least) + " to " + integer_to_text(range.most));
}

Folded to_character(const Value& value, const Type& type) {
  const auto* character = std::get_if<char32_t>(&value.is);
  if (!character) return wrong(kind_name(type.kind) + " needs a character, not " + describe(value));
  if (type.kind == TypeKind::char_ && *character > 0xff)
    return wrong("a char cannot hold a character above \\xff");
  return value;
}

Folded to_enumerator(const Value& value, const Declaration& enumeration) {
  const auto* enumerator = std::get_if<const Declaration*>(&value.is);
  if (enumerator && (*enumerator)->type && (*enumerator)->type->declaration == &enumeration) return value;
  return wrong("an enumerator of " + enumeration.name + " is needed, not " +
               (enumerator ? "one of " + (*enumerator)->type->declaration->name : describe(value)));
}

}  // namespace

Folded convert(const Value& value, const Type& declared) {
  const Type& type = declared.resolved();
  IntegerRange range;
  if (integer_range(type, range)) return to_integer(value, declared, range);
  switch (type.kind) {
    case TypeKind::boolean:
      if (std::holds_alternative<bool>(value.is)) return value;
      return wrong(std::string("a boolean must be TRUE or FALSE, not ") + describe(value));
    case TypeKind::char_:
    case TypeKind::wchar:
      return to_character(value, type);
    case TypeKind::float_:
    case TypeKind::double_:
    case TypeKind::long_double:
      return to_float(value, type);
    case TypeKind::fixed:
      return to_fixed(value, type);
    case TypeKind::string:
      return to_text<std::string>(value, type, "string");
    case TypeKind::wstring:
      return to_text<std::wstring>(value, type, "wstring");
    case TypeKind::named:
      if (type.declaration->kind == DeclarationKind::enum_) return to_enumerator(value, *type.declaration);
      if (type.declaration->kind == DeclarationKind::bitmask && std::holds_alternative<Integer>(value.is))
        return value;
      break;
    default:
      break;
  }
  return wrong("a constant cannot have the type " + describe(declared));
}

}  // namespace takt::idl
