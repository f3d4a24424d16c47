#include "ifr/model/type_text.h"

#include <charconv>

namespace takt::ifr {
namespace {

using Form = TypeText::Form;
using Takt::Reflection::PrimitiveKind;

// Takes a number from the front. A number has one form only: no plus sign and no leading zeros.
template <class Integer>
bool take(std::string_view& text, Integer& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc()) return false;
  const auto length = static_cast<std::size_t>(end - text.data());
  if (std::to_string(number) != text.substr(0, length)) return false;
  text.remove_prefix(length);
  return true;
}

bool take(std::string_view& text, char expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

namespace {

bool take_fixed(std::string_view text, TypeText& type) {
  if (!take(text, type.bound) || !take(text, '.') || !take(text, type.scale) || !text.empty()) return false;
  return type.bound >= 1 && type.bound <= 31 && type.scale >= 0 &&
         static_cast<std::uint32_t>(type.scale) <= type.bound;
}

// Takes what follows the form. False: it does not belong to that form.
bool take_rest(std::string_view text, TypeText& type) {
  switch (type.form) {
    case Form::primitive:
      return take(text, type.bound) && text.empty() &&
             type.bound <= static_cast<std::uint32_t>(PrimitiveKind::pk_value_base);
    case Form::string:
    case Form::wstring:
      return take(text, type.bound) && text.empty() && type.bound != 0;
    case Form::fixed:
      return take_fixed(text, type);
    case Form::sequence:
    case Form::array:
      if (!take(text, type.bound) || !take(text, ':')) return false;
      type.element = text;
      return !text.empty() && (type.form == Form::sequence || type.bound != 0);
    case Form::definition:
    case Form::unnamed:
      return take(text, type.number) && text.empty() && type.number > 0;
  }
  return false;
}

}  // namespace

std::optional<TypeText> parse_type(std::string_view text) {
  if (text.empty()) return {};
  TypeText type{.form = static_cast<Form>(text.front()), .element = {}};
  if (!take_rest(text.substr(1), type)) return {};
  return type;
}

bool is_type_text(std::string_view text, std::size_t nesting) {
  for (std::size_t depth = 0; depth <= nesting; ++depth) {
    const auto type = parse_type(text);
    if (!type) return false;
    if (type->element.empty()) return true;
    text = type->element;
  }
  return false;
}

Number used_in(std::string_view text) {
  auto type = parse_type(text);
  while (type && !type->element.empty()) type = parse_type(type->element);
  if (!type) return 0;
  return type->form == Form::unnamed ? -type->number : type->number;
}

Kind kind_of(Form form) {
  switch (form) {
    case Form::primitive:
      return Kind::dk_Primitive;
    case Form::string:
      return Kind::dk_String;
    case Form::wstring:
      return Kind::dk_Wstring;
    case Form::fixed:
      return Kind::dk_Fixed;
    case Form::sequence:
      return Kind::dk_Sequence;
    case Form::array:
      return Kind::dk_Array;
    case Form::definition:
    case Form::unnamed:
      break;
  }
  return Kind::dk_none;
}

std::string primitive_text(PrimitiveKind kind) {
  return 'p' + std::to_string(static_cast<std::uint32_t>(kind));
}
std::string string_text(std::uint32_t bound, bool wide) {
  if (bound == 0) return primitive_text(wide ? PrimitiveKind::pk_wstring : PrimitiveKind::pk_string);
  return (wide ? 'w' : 's') + std::to_string(bound);
}
std::string fixed_text(std::uint16_t digits, std::int16_t scale) {
  return 'f' + std::to_string(digits) + '.' + std::to_string(scale);
}
std::string sequence_text(std::uint32_t bound, std::string_view element) {
  return 'q' + std::to_string(bound) + ':' + std::string(element);
}
std::string array_text(std::uint32_t length, std::string_view element) {
  return 'a' + std::to_string(length) + ':' + std::string(element);
}
std::string definition_text(Number number) { return 'd' + std::to_string(number); }
std::string unnamed_text(Number number) { return 'n' + std::to_string(-number); }

}  // namespace takt::ifr
