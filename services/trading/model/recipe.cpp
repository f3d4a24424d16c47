#include "trading/model/recipe.h"

#include <array>
#include <charconv>
#include <cmath>

namespace takt::trading {
namespace {

using constraint::Integer;
using constraint::Value;

std::string literal_of(Integer number) {
  if (number < 0) return "(-" + literal_of(-number) + ")";
  return std::to_string(static_cast<std::uint64_t>(number));
}

std::string literal_of(long double number) {
  std::array<char, 64> text{};
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), std::abs(static_cast<double>(number)));
  const std::string digits(text.data(), written.ptr);
  return number < 0 ? "(-" + digits + ")" : digits;
}

std::string literal_of(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// Nothing for values without a literal.
std::optional<std::string> literal_of(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "TRUE" : "FALSE";
  if (const auto* integer = std::get_if<Integer>(&value)) return literal_of(*integer);
  if (const auto* real = std::get_if<long double>(&value))
    return std::isfinite(*real) ? std::optional(literal_of(*real)) : std::nullopt;
  if (const auto* text = std::get_if<std::string>(&value)) return literal_of(*text);
  if (const auto* label = std::get_if<constraint::Enumerator>(&value)) return literal_of(label->label);
  return std::nullopt;
}

}  // namespace

std::expected<std::string, std::string> expanded(std::string_view recipe, std::string_view constraint,
                                                 const PropertyOf& property, std::size_t most_bytes) {
  std::string made;
  for (std::size_t at = 0; at < recipe.size(); ++at) {
    const char next = at + 1 < recipe.size() ? recipe[at + 1] : '\0';
    if (recipe[at] == '\\') {
      if (at + 1 == recipe.size()) return std::unexpected("a backslash is the last character");
      made += recipe[++at];
    } else if (recipe[at] != '$') {
      made += recipe[at];
    } else if (next == '*') {
      made += constraint;
      ++at;
    } else if (next == '(') {
      const auto end = recipe.find(')', at);
      if (end == std::string_view::npos) return std::unexpected("a '$(' has no ')'");
      const std::string name(recipe.substr(at + 2, end - at - 2));
      const auto value = property(name);
      const auto literal = value ? literal_of(*value) : std::nullopt;
      if (!literal) return std::unexpected("the proxy has no property '" + name + "' with a literal");
      made += *literal;
      at = end;
    } else {
      return std::unexpected("'*' or '(' follows '$'");
    }
    if (made.size() > most_bytes) return std::unexpected("the constraint is too long");
  }
  return made;
}

}  // namespace takt::trading
