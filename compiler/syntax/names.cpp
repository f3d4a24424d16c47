#include <algorithm>

#include "syntax/hints.h"
#include "syntax/parser.h"

namespace takt::idl {

namespace {

bool has_names(DeclarationKind kind) {
  using K = DeclarationKind;
  switch (kind) {
    case K::module_:
    case K::interface_:
    case K::value:
    case K::event:
    case K::struct_:
    case K::union_:
    case K::exception:
    case K::component:
    case K::port_type:
    case K::home:
    case K::enum_:
    case K::bitmask:
      return true;
    default:
      return false;
  }
}

bool in_corba(const Declaration& scope) {
  const Declaration* outermost = &scope;
  while (outermost->scope && outermost->scope->scope) outermost = outermost->scope;
  return outermost->scope && outermost->name == "CORBA";
}

}  // namespace

Declaration* Parser::resolve_next(Declaration* scope, const Name& name, bool outward) {
  Declaration* found =
      outward ? scopes_.find(*scope, name.text, name.at) : scopes_.find_member(*scope, name.text, name.at);
  if (!found) {
    error(name.at, outward ? "'" + name.text + "' is not declared" + hint_for_undeclared(name.text, *scope)
                           : "'" + name.text + "' is not declared " +
                                 (scope->scope ? "in " + scope->name : "at global scope"));
    throw Skip{};
  }
  scopes_.check_spelling(*found, name.text, name.at);
  if (unit_.keeps_uses) unit_.uses.push_back({name.at, found});
  return found;
}

Parser::Name Parser::name_part() {
  if (token_.kind != TokenKind::identifier) fail("a name is expected here");
  if (at_keyword() && !at_word("Object") && !at_word("ValueBase"))
    fail("a name is expected here, but '" + std::string(token_.text) + "' is a keyword");
  Name name{std::string(token_.text), token_.at};
  advance();
  return name;
}

Parser::Name Parser::further_part(ScopedName& whole) {
  expect("::");
  Name part = name_part();
  whole.text += "::" + part.text;
  return part;
}

// CORBA::TypeCode and similar names are known without a declaration of module CORBA, and TypeCode also where
// that is declared without it.
Parser::ScopedName Parser::scoped_name() {
  ScopedName result{.text = {}, .at = token_.at, .found = nullptr};
  const bool global = accept("::");
  const Name first = name_part();
  result.text = (global ? "::" : "") + first.text;
  const auto is_declared = [&] {
    return (global ? scopes_.find_here(unit_.root, first.text)
                   : scopes_.find(*scope_, first.text, first.at)) != nullptr;
  };
  if (first.text == "CORBA" && at("::") && !is_declared()) {
    result.found = predefined(further_part(result).text);
    return result;
  }
  if (!global && first.text == "TypeCode" && in_corba(*scope_) && !is_declared()) return result;
  result.found = global ? resolve_next(&unit_.root, first, false) : resolve_next(scope_, first, true);
  if (!global) scopes_.use(*scope_, first.text, *result.found, first.at);
  while (at("::"))
    if (!resolve_further(result)) break;
  return result;
}

bool Parser::resolve_further(ScopedName& whole) {
  Declaration* scope = whole.found;
  const Name part = further_part(whole);
  if (scope->kind == K::forward_ && scope->definition) scope = scope->definition;
  if (!has_names(scope->kind)) {
    error(part.at, "'" + scope->name + "' is " + describe(scope->kind) + " and has no names in it");
    throw Skip{};
  }
  if (scope->name == "CORBA" && !scopes_.find_here(*scope, part.text)) {
    Declaration* const known =
        part.text != "TypeCode" && scope->scope == &unit_.root ? predefined(part.text) : nullptr;
    if (known || part.text == "TypeCode") {
      whole.found = known;
      return false;
    }
  }
  whole.found = resolve_next(scope, part, false);
  return true;
}

const Type* Parser::make_type(Type type) {
  for (const Type* inner : {type.element, type.key})
    if (inner) type.nesting = std::max(type.nesting, inner->nesting + 1);
  if (type.declaration) type.nesting = type.declaration->nesting;
  if (type.nesting > 256) fail("types are nested deeper than 256 levels here");
  return &unit_.types.emplace_back(type);
}

const Type* Parser::named_type(Declaration& declaration) {
  Type type;
  type.kind = TypeKind::named;
  type.declaration = &declaration;
  return make_type(type);
}

const Type* Parser::simple(TypeKind kind) {
  const Type*& known = simple_types_[static_cast<int>(kind)];
  if (!known) {
    Type type;
    type.kind = kind;
    known = make_type(type);
  }
  return known;
}

}  // namespace takt::idl
