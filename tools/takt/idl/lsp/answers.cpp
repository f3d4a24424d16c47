#include "idl/lsp/answers.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "sema/scopes.h"
#include "syntax/parser.h"

namespace takt::command::lsp {
namespace {

using idl::Declaration;
using K = idl::DeclarationKind;

constexpr int error_severity = 1, warning_severity = 2;

// The numbers that the protocol has for completions differ from those for symbols.
struct Kinds {
  int completion, symbol;
};

Kinds kinds_of(K kind) {
  switch (kind) {
    case K::module_:
      return {9, 2};
    case K::interface_:
    case K::component:
    case K::home:
      return {8, 11};
    case K::forward_:  // as a completion, a value: it is not known what it will be
      return {12, 11};
    case K::operation:
    case K::initializer:
      return {2, 6};
    case K::attribute:
    case K::member:  // a field, a property
      return {5, 7};
    case K::enum_:
    case K::bitmask:
      return {13, 10};
    case K::enumerator:
      return {20, 22};
    case K::constant:
      return {21, 14};
    case K::struct_:
    case K::union_:
    case K::exception:
    case K::bitset:
      return {22, 23};
    case K::value:
    case K::value_box:
    case K::event:  // classes
      return {7, 5};
    default:  // a value, a type parameter
      return {12, 26};
  }
}

// The place is that of a declaration's name, so the name is underlined if it is there; else one character.
Json range_at(const Text& text, const idl::Location& at) {
  const std::size_t line = at.line ? at.line - 1 : 0, octet = at.column ? at.column - 1 : 0;
  const std::string_view rest = text.line(line).substr(std::min(octet, text.line(line).size()));
  const auto end = std::ranges::find_if_not(rest, is_name_character);
  return range_of(text, line, octet, std::max<std::size_t>(1, static_cast<std::size_t>(end - rest.begin())));
}

// "::M::S" for the scope before the last "::" of a name that ends at the cursor; the name's last part.
struct Typed {
  bool is_qualified = false;
  std::string scope;
};

Typed typed_before(const Text& text, Position position) {
  const std::string_view line = text.line(position.line).substr(0, text.column(position));
  std::size_t begin = line.size();
  const auto belongs = [](char c) { return is_name_character(c) || c == ':'; };
  while (begin > 0 && belongs(line[begin - 1])) --begin;
  const std::string_view name = line.substr(begin);
  const auto colons = name.rfind("::");
  if (colons == name.npos) return {};
  return {true, std::string(name.substr(0, colons))};
}

// Adds each name once.
class Completions {
 public:
  void add(const Declaration& declaration) {
    const Declaration& meant = idl::defined(declaration);
    if (!names_.insert(meant.name).second) return;
    items_.push_back({{"label", meant.name},
                      {"kind", kinds_of(meant.kind).completion},
                      {"detail", idl::describe(meant.kind) + std::string(" ") + meant.scoped_name()}});
  }
  void add_word(const char* word) {
    constexpr int keyword = 14;
    if (names_.insert(word).second) items_.push_back({{"label", word}, {"kind", keyword}});
  }
  // The contents of a scope with inherited ones. A module may have been opened several times.
  void add_contents(const idl::Unit& unit, const Declaration& scope) {
    if (!scopes_.insert(&scope).second) return;
    const std::string name = scope.scope ? scope.scoped_name() : std::string();
    for (const Declaration& each : unit.declarations)
      if (each.scope && (each.scope == &scope || (each.scope->kind == K::module_ && each.scope->scope &&
                                                  each.scope->scoped_name() == name)))
        add(each);
    for (const auto* bases : {&scope.bases, &scope.supports})
      for (const Declaration* base : *bases) add_contents(unit, idl::defined(*base));
  }
  Json take() { return std::move(items_); }

 private:
  std::set<std::string> names_;
  std::set<const Declaration*> scopes_;  // their contents are in items_
  Json items_ = Json::array();
};

const Declaration* found_from(const idl::Unit& unit, const Declaration& from, const std::string& name) {
  for (const Declaration* scope = name.starts_with("::") ? &unit.root : &from; scope; scope = scope->scope) {
    const std::string wanted =
        (scope->scope ? scope->scoped_name() : std::string()) + (name.starts_with("::") ? "" : "::") + name;
    for (const Declaration& each : unit.declarations)
      if (each.scope && each.kind != K::forward_ && each.scoped_name() == wanted) return &each;
  }
  return nullptr;
}

Json symbols_in(const Analysis& analysis, const Declaration& scope) {
  Json all = Json::array();
  for (const Declaration* each : scope.contents) {
    std::size_t length = 0;
    if (!analysis.in_main_file(each->at) || each->at.line == 0 ||
        !analysis.text().has_name(each->at.line - 1, each->at.column - 1, each->name, length))
      continue;
    const Json range = range_of(analysis.text(), each->at.line - 1, each->at.column - 1, length);
    all.push_back({{"name", each->name},
                   {"detail", idl::describe(each->kind)},
                   {"kind", kinds_of(each->kind).symbol},
                   {"range", range},
                   {"selectionRange", range},
                   {"children", symbols_in(analysis, *each)}});
  }
  return all;
}

}  // namespace

Json json_of(Position position) { return {{"line", position.line}, {"character", position.character}}; }

Json range_of(const Text& text, std::size_t line, std::size_t octet, std::size_t length) {
  return {{"start", json_of(text.position(line, octet))},
          {"end", json_of(text.position(line, octet + length))}};
}

Json diagnostics_of(const Analysis& analysis,
                    const std::function<std::string(const std::filesystem::path&)>& uri_of) {
  Json all = Json::array();
  const Json first_line = range_of(analysis.text(), 0, 0, analysis.text().line(0).size());
  if (!analysis.failure().empty())
    all.push_back({{"range", first_line},
                   {"severity", error_severity},
                   {"source", "takt-idl"},
                   {"message", analysis.failure()}});
  for (const auto& [severity, at, message] : analysis.diagnostics()) {
    const bool is_here = analysis.in_main_file(at);
    const Json place = is_here ? range_at(analysis.text(), at) : first_line;
    if (severity == std::string_view("note")) {
      if (all.empty()) continue;
      const Json range = is_here ? place
                                 : Json{{"start", json_of({at.line ? at.line - 1 : 0, 0})},
                                        {"end", json_of({at.line ? at.line - 1 : 0, 1})}};
      all.back()["relatedInformation"].push_back(
          {{"location", {{"uri", uri_of(analysis.path_of(at))}, {"range", range}}}, {"message", message}});
      continue;
    }
    const std::string where =
        is_here ? "" : analysis.path_of(at).string() + ":" + std::to_string(at.line) + ": ";
    all.push_back({{"range", place},
                   {"severity", severity == std::string_view("error") ? error_severity : warning_severity},
                   {"source", "takt-idl"},
                   {"message", where + message}});
  }
  return all;
}

Json completions_at(const Analysis& analysis, const Text& present, Position position) {
  Completions completions;
  const Typed typed = typed_before(present, position);
  const Declaration& scope = analysis.scope_at(present, position);
  if (typed.is_qualified) {
    const Declaration* const named =
        typed.scope.empty() ? &analysis.unit().root : found_from(analysis.unit(), scope, typed.scope);
    if (named) completions.add_contents(analysis.unit(), *named);
    return completions.take();
  }
  for (const Declaration* each = &scope; each; each = each->scope)
    completions.add_contents(analysis.unit(), *each);
  for (const char* word : idl::reserved_words()) completions.add_word(word);
  return completions.take();
}

Json symbols_of(const Analysis& analysis) { return symbols_in(analysis, analysis.unit().root); }

}  // namespace takt::command::lsp
