#include "cpp/hidden_namespaces.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

namespace takt::idl::cpp {

namespace {

constexpr std::string_view used_namespaces[] = {"CORBA", "IDL", "std", "takt"};

bool is_used(std::string_view name) {
  return std::ranges::find(used_namespaces, name) != std::end(used_namespaces);
}
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The end of the literal, comment or word that begins at `at`; the next character if there is none.
std::size_t end_of_token(std::string_view code, std::size_t at) {
  if (code.substr(at, 2) == "//") return std::min(code.find('\n', at), code.size());
  std::size_t end = at + 1;
  if (code[at] == '"' || code[at] == '\'') {
    while (end < code.size() && code[end] != code[at]) end += code[end] == '\\' ? 2 : 1;
    return std::min(end + 1, code.size());
  }
  if (in_word(code[at]))
    while (end < code.size() && in_word(code[end])) ++end;
  return end;
}

}  // namespace

bool hides_namespaces(const Unit& unit) {
  return std::ranges::any_of(unit.declarations, [&](const Declaration& declaration) {
    return declaration.kind == DeclarationKind::module_ && declaration.scope != &unit.root &&
           is_used(declaration.name);
  });
}

std::string type_named_like_a_namespace(const Unit& unit) {
  using Kind = DeclarationKind;
  constexpr Kind others[] = {Kind::module_,  Kind::member,     Kind::operation,  Kind::attribute,
                             Kind::constant, Kind::enumerator, Kind::initializer};
  for (const Declaration& declaration : unit.declarations)
    if (declaration.in_main_file && is_used(declaration.name) &&
        std::ranges::find(others, declaration.kind) == std::end(others))
      return "'" + declaration.scoped_name() + "' (" + unit.files[declaration.at.file].name + ":" +
             std::to_string(declaration.at.line) +
             ") has the name of a namespace that generated code uses; rename it";
  return {};
}

std::string with_rooted_namespaces(const std::string& code) {
  const std::string_view text(code);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_token(text, at);
    const std::string_view token = text.substr(at, end - at);
    const bool is_nested = text.substr(0, at).ends_with("::");
    const std::string_view before = text.substr(0, at);
    const bool opens =
        before.ends_with("namespace ") || before.ends_with("class ") || before.ends_with("struct ");
    if (is_used(token) && text.substr(end, 2) == "::" && !is_nested && !opens) result += "::";
    result += token;
    at = end;
  }
  return result;
}

}  // namespace takt::idl::cpp
