#include <algorithm>

#include "syntax/parser.h"

namespace takt::idl {

void Parser::plain_interface(Annotations given) { interface_definition(std::move(given), {}); }

void Parser::local_interface(Annotations given) {
  if (!accept_word("interface")) fail("'local' is followed by 'interface'");
  interface_definition(std::move(given), {.is_local = true});
}

void Parser::abstract_definition(Annotations given) {
  constexpr Modifiers abstract{.is_abstract = true};
  if (accept_word("interface")) return interface_definition(std::move(given), abstract);
  if (accept_word("valuetype")) return value_definition(std::move(given), K::value, abstract);
  if (accept_word("eventtype")) return value_definition(std::move(given), K::event, abstract);
  fail("'abstract' is followed by 'interface', 'valuetype' or 'eventtype'");
}

void Parser::interface_definition(Annotations given, const Modifiers& modifiers) {
  const Name name = identifier("an interface's name");
  const auto check_modifiers = [&](const Declaration& other) {
    if (other.is_abstract == modifiers.is_abstract && other.is_local == modifiers.is_local) return;
    error(name.at,
          "'" + name.text + "' must be abstract, local or neither in the same way in all its declarations");
    diagnostics_.note(other.at, "an earlier declaration is here");
  };
  const auto modify = [&](Declaration& made) -> Declaration& {
    made.is_abstract = modifiers.is_abstract;
    made.is_local = modifiers.is_local;
    return made;
  };
  const Declaration* const known = scopes_.find_here(*scope_, name.text);
  if (at(";")) {
    if (is_known(name, {K::interface_})) return check_modifiers(*known);
    modify(add(K::forward_, name, std::move(given))).forward_kind = K::interface_;
    return;
  }
  if (known && known->kind == K::forward_) check_modifiers(*known);
  Declaration& made = modify(begin_definition(K::interface_, name, std::move(given)));
  if (accept(":")) inheritance(made, made.bases);
  body(made, [this] { export_(); });
  check_inherited(made);
}

Declaration* Parser::meant_by(Declaration* found) {
  if (found->kind == K::typedef_ && found->type->resolved().kind == TypeKind::named)
    found = found->type->resolved().declaration;
  return found->kind == K::forward_ && found->definition ? found->definition : found;
}

void Parser::inheritance(Declaration& derived, std::vector<Declaration*>& into) {
  do {
    const ScopedName base = scoped_name();
    if (base.found)
      interface_base(derived, base, into);
    else if (!base.text.ends_with("::Object"))  // from which every interface derives
      error(base.at, "'" + base.text + "' is not declared");
  } while (accept(","));
}

void Parser::interface_base(Declaration& derived, const ScopedName& base, std::vector<Declaration*>& into) {
  take_as_local(derived, *base.found, base.at);
  Declaration* const found = meant_by(base.found);
  const std::string name = "'" + base.text + "'";
  if (found->kind == K::forward_) {
    error(base.at, name + " is only declared forward; a base must already be defined");
    diagnostics_.note(found->at, "the forward declaration is here");
    return;
  }
  if (found == &derived) return error(base.at, name + " cannot inherit from itself");
  if (found->kind != K::interface_)
    return error(base.at, name + " is " + describe(found->kind) + ", not an interface");
  if (std::ranges::find(into, found) != into.end()) return error(base.at, name + " is a direct base twice");
  const bool is_interface = derived.kind == K::interface_;
  if (is_interface && derived.is_abstract && !found->is_abstract)
    return error(base.at, "an abstract interface inherits from abstract interfaces only");
  if (is_interface && !derived.is_local && found->is_local)
    return error(base.at, "only a local interface inherits from a local one");
  into.push_back(found);
  hold(derived, *found, base.at);
}

// Two bases may not have operations, attributes or state members with the same name, and inherited ones may
// not be redeclared (7.4.3.4.3).
void Parser::check_inherited(Declaration& interface) {
  std::unordered_map<std::string, Declaration*> seen;
  for (Declaration* one : unit_.all_features(interface)) {
    const auto [found, added] = seen.try_emplace(folded(one->name), one);
    if (added || found->second == one) continue;
    if (one->scope == found->second->scope) continue;  // reported already
    const bool own = one->scope == &interface;
    error(own ? one->at : interface.at,
          own ? "'" + one->name + "' is inherited and cannot be declared again"
              : "'" + one->name + "' comes from two bases of " + interface.name);
    diagnostics_.note(found->second->at, "one is " + found->second->scoped_name());
    if (!own) diagnostics_.note(one->at, "the other is " + one->scoped_name());
  }
}

void Parser::export_() {
  Annotations given = annotations();
  if (at_word("readonly") || at_word("attribute")) return attribute(std::move(given));
  const Beginning* const begins = token_.escaped ? nullptr : beginning_of(token_.text);
  if (begins && begins->within <= Within::interfaces) return definition_of_word(std::move(given));
  operation(std::move(given));
}

// Parameters, results and attributes have named types, basic types or strings (IDL 4.2, rule 93).
const Type* Parser::param_type(bool allow_void) {
  const Location where = token_.at;
  const bool defines = at_word("struct") || at_word("union") || at_word("enum");
  const Type* type = type_spec(allow_void);
  const bool anonymous =
      type->kind == TypeKind::sequence || type->kind == TypeKind::map || type->kind == TypeKind::fixed;
  if (defines || anonymous) error(where, "only a named type can be passed; declare a typedef for it first");
  Declaration& holder =
      scope_->kind == K::operation || scope_->kind == K::initializer ? *scope_->scope : *scope_;
  if (const Type& real = type->resolved(); real.kind == TypeKind::named)
    take_as_local(holder, *real.declaration, where);
  const bool only_local = holder.kind == K::interface_ && !holder.is_local && is_local(*type);
  if (only_local) error(where, "only a local interface can pass a local type");
  return type;
}

std::vector<Declaration*> Parser::raises_list() {
  std::vector<Declaration*> list;
  expect("(");
  do {
    const ScopedName name = scoped_name();
    if (!name.found) {
      error(name.at, "'" + name.text + "' is not an exception that is declared");
      continue;
    }
    if (name.found->kind == K::native) continue;
    if (name.found->kind != K::exception) {
      error(name.at, "'" + name.text + "' is " + describe(name.found->kind) + ", not an exception");
      diagnostics_.note(name.found->at, "it is declared here");
    } else if (std::find(list.begin(), list.end(), name.found) == list.end()) {
      list.push_back(name.found);
    }
  } while (accept(","));
  expect(")");
  return list;
}

void Parser::parameters(Declaration& operation, bool initializer) {
  in_scope(operation, [&] {
    expect("(");
    while (!at(")")) {
      parameter(operation, initializer);
      if (at(")")) break;
      expect(",");
      if (at(")")) fail("a parameter is expected after ','");
    }
  });
  expect(")");
}

void Parser::parameter(Declaration& operation, bool initializer) {
  using Direction = Declaration::Direction;
  Declaration::Parameter made;
  made.annotations = annotations();
  if (accept_word("in"))
    made.direction = Direction::in;
  else if (accept_word("out"))
    made.direction = Direction::out;
  else if (accept_word("inout"))
    made.direction = Direction::inout;
  else
    fail("a parameter begins with in, out or inout");
  if (initializer && made.direction != Direction::in) error(token_.at, "a factory's parameters must be 'in'");
  made.type = param_type(false);
  const Name name = identifier("a parameter's name");
  made.name = name.text;
  made.at = name.at;
  scopes_.clashes_with_use(operation, name.text, name.at);
  scopes_.declare_parameter(operation, name.text, name.at);
  operation.parameters.push_back(std::move(made));
  if (at("[")) fail("a parameter's type cannot be an array here; use a typedef");
}

// A pattern of context names: a letter, then letters, digits, '.' and '_', and '*' only at its end
// (7.4.3.4.3.4).
std::string Parser::context_pattern() {
  const Location where = token_.at;
  std::string pattern = string_literal();
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::string_view name = pattern;
  if (name.ends_with('*')) name.remove_suffix(1);
  const bool fits = !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '_';
  });
  if (!fits)
    error(where, "a context is a letter, then letters, digits, '.' and '_', perhaps with '*' at its end");
  return pattern;
}

void Parser::operation(Annotations given) {
  const Location oneway_at = token_.at;
  const bool oneway = accept_word("oneway");
  const Type* result = param_type(true);
  const Name name = identifier("an operation's name");
  if (at("[")) fail("an operation's result cannot be an array here; use a typedef");
  if (!at("(")) fail("'(' is expected after an operation's name");
  Declaration& made = add(K::operation, name, std::move(given));
  made.type = result;
  made.is_oneway = oneway || has_annotation(made.annotations, "oneway");
  parameters(made, false);
  if (accept_word("raises")) made.raises = raises_list();
  if (accept_word("context")) {
    expect("(");
    do made.contexts.push_back(context_pattern());
    while (accept(","));
    expect(")");
  }
  expect(";");
  if (!made.is_oneway) return;
  if (result->kind != TypeKind::void_) error(oneway_at, "a oneway operation must return void");
  if (!made.raises.empty()) error(oneway_at, "a oneway operation cannot raise exceptions");
  for (const auto& parameter : made.parameters)
    if (parameter.direction != Declaration::Direction::in)
      error(parameter.at, "a oneway operation's parameters must be 'in'");
}

void Parser::attribute(Annotations given) {
  const bool readonly = accept_word("readonly");
  if (!accept_word("attribute")) fail("'attribute' is expected after 'readonly'");
  const Type* type = param_type(false);
  std::vector<Declaration*> made;
  do {
    Declaration& one = add(K::attribute, identifier("an attribute's name"), given);
    one.type = type;
    one.is_readonly = readonly;
    made.push_back(&one);
  } while (accept(","));
  const auto raising = [&](const char* word, auto member) {
    if (!accept_word(word)) return;
    const auto list = raises_list();
    for (Declaration* one : made) one->*member = list;
  };
  raising(readonly ? "raises" : "getraises", &Declaration::raises);
  if (!readonly) raising("setraises", &Declaration::set_raises);
  expect(";");
}

}  // namespace takt::idl
