// Types as short texts: "p3" is a long, "s10" a string<10>, "q5:d42" a sequence of at most five of
// definition 42, "n7" the type that the store has under the number -7, which may change. They are what the
// store keeps for a type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ifr/model/definition.h"

namespace takt::ifr {

struct TypeText {
  enum class Form : char {
    primitive = 'p',   // bound: the PrimitiveKind
    string = 's',      // bound
    wstring = 'w',     // bound
    fixed = 'f',       // bound: digits; scale
    sequence = 'q',    // bound, element
    array = 'a',       // bound: the length; element
    definition = 'd',  // number
    unnamed = 'n',     // number, the opposite of the one in the store
  };
  Form form = Form::primitive;
  std::uint32_t bound = 0;
  std::int16_t scale = 0;
  Number number = 0;
  std::string_view element;  // in the text that was parsed
};

// The outermost form; the element is not looked at. Nothing if it is no such text.
std::optional<TypeText> parse_type(std::string_view text);
// Whether the whole text is a type, with at most `nesting` sequences and arrays in each other.
bool is_type_text(std::string_view text, std::size_t nesting);
// The definition or the type without a name at the innermost place, or 0.
Number used_in(std::string_view text);
// The kind of the repository's object for the form; dk_none for definitions and numbers.
Kind kind_of(TypeText::Form form);

std::string primitive_text(Takt::Reflection::PrimitiveKind kind);
std::string string_text(std::uint32_t bound, bool wide);
std::string fixed_text(std::uint16_t digits, std::int16_t scale);
std::string sequence_text(std::uint32_t bound, std::string_view element);
std::string array_text(std::uint32_t length, std::string_view element);
std::string definition_text(Number number);
// `number`: negative, as in the store.
std::string unnamed_text(Number number);

}  // namespace takt::ifr
