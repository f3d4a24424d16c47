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

Parser::ScopedName Parser::scoped_name() {
  ScopedName result;
  result.at = token_.at;
  const bool global = accept("::");
  const auto part = [&] {
    if (token_.kind != TokenKind::identifier) fail("a name is expected here");
    if (at_keyword() && !at_word("Object") && !at_word("ValueBase"))
      fail("a name is expected here, but '" + std::string(token_.text) + "' is a keyword");
    Name name{std::string(token_.text), token_.at};
    advance();
    return name;
  };
  Name name = part();
  result.text = (global ? "::" : "") + name.text;
  // CORBA::TypeCode and similar names are known without a declaration.
  if (name.text == "CORBA" && at("::") &&
      !(global ? scopes_.find_here(unit_.root, "CORBA") : scopes_.find(*scope_, "CORBA", name.at))) {
    advance();
    name = part();
    result.text += "::" + name.text;
    result.found = predefined(name.text);
    return result;
  }
  // CORBA::TypeCode is also known where module CORBA is declared without it.
  if (!global && name.text == "TypeCode" && in_corba(*scope_) &&
      !scopes_.find(*scope_, "TypeCode", name.at)) {
    result.found = nullptr;
    return result;
  }
  result.found = global ? resolve_next(&unit_.root, name, false) : resolve_next(scope_, name, true);
  if (!global) scopes_.use(*scope_, name.text, *result.found, name.at);
  while (at("::")) {
    advance();
    name = part();
    result.text += "::" + name.text;
    Declaration* scope = result.found;
    if (scope->kind == K::forward_ && scope->definition) scope = scope->definition;
    if (!has_names(scope->kind)) {
      error(name.at, "'" + scope->name + "' is " + describe(scope->kind) + " and has no names in it");
      throw Skip{};
    }
    if (name.text == "TypeCode" && scope->name == "CORBA" && !scopes_.find_here(*scope, name.text)) {
      result.found = nullptr;
      return result;
    }
    if (scope->scope == &unit_.root && scope->name == "CORBA" && !scopes_.find_here(*scope, name.text)) {
      if (Declaration* known = predefined(name.text)) {
        result.found = known;
        return result;
      }
    }
    result.found = resolve_next(scope, name, false);
  }
  return result;
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
