// The text form of models of MAST, the Modeling and Analysis Suite for Real-Time Applications of the
// University of Cantabria: a sequence of `Kind (Name => value, ...);` where a value is a word, a number, a
// date, or a list in parentheses of values or of attributes. Comments begin with --. Upper and lower case do
// not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace takt::scheduling::mast {

// Limits against hostile files.
inline constexpr std::size_t most_text_bytes = 16 << 20;
inline constexpr std::size_t most_values = 1'000'000;
inline constexpr int most_nesting = 16;
inline constexpr std::size_t longest_name = 255;

struct Place {
  std::int32_t line = 1, column = 1;  // both from 1; columns count octets
};

// The functions of this folder, except those of import.h and export.h, throw this for an invalid model.
struct Wrong {
  Place at;
  std::string text;
};

struct Attribute;
struct Value {
  enum class Form { word, number, date, list, attributes };
  Form form = Form::word;
  Place at;
  std::string text;  // a word without quotes, a number or a date
  std::vector<Value> list;
  std::vector<Attribute> attributes;
};
// The value in a message.
std::string describe(const Value& value);
struct Attribute {
  std::string name;
  Place at;
  Value value;
};

// `Kind (attributes);`
struct Element {
  std::string kind;
  Place at;
  Value value;
};

std::vector<Element> parse(std::string_view text);

// The text in lower case.
std::string lower(std::string_view text);
// Whether two words differ at most in case.
bool same(std::string_view one, std::string_view other);

}  // namespace takt::scheduling::mast
