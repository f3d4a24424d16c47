#include <algorithm>

#include "syntax/parser.h"

namespace takt::idl {

namespace {

// Boxes and eventtypes are valuetypes too.
bool is_value(const Type& type) {
  if (type.kind != TypeKind::named) return type.kind == TypeKind::value_base;
  const DeclarationKind kind = type.declaration->kind == DeclarationKind::forward_
                                   ? type.declaration->forward_kind
                                   : type.declaration->kind;
  return kind == DeclarationKind::value || kind == DeclarationKind::value_box ||
         kind == DeclarationKind::event;
}

}  // namespace

void Parser::plain_value(Annotations given) { value_definition(std::move(given), K::value, {}); }
void Parser::plain_event(Annotations given) { value_definition(std::move(given), K::event, {}); }

void Parser::custom_value(Annotations given) {
  constexpr Modifiers custom{.is_custom = true};
  if (accept_word("valuetype")) return value_definition(std::move(given), K::value, custom);
  if (accept_word("eventtype")) return value_definition(std::move(given), K::event, custom);
  fail("'custom' is followed by 'valuetype' or 'eventtype'");
}

void Parser::value_definition(Annotations given, K kind, const Modifiers& modifiers) {
  const Name name = identifier("a valuetype's name");
  const Declaration* const known = earlier(name);
  const bool again = is_known(name, {K::value, K::event});
  const auto check_abstract = [&] {
    if (!again || known->is_abstract == modifiers.is_abstract) return;
    error(name.at, "'" + name.text + "' must be abstract in all its declarations, or in none");
    diagnostics_.note(known->at, "an earlier declaration is here");
  };
  if (at(";")) {
    check_abstract();
    if (again) return;
    Declaration& forward = add(K::forward_, name, std::move(given));
    forward.forward_kind = kind;
    forward.is_abstract = modifiers.is_abstract;
    return;
  }
  if (!at("{") && !at(":") && !at_word("supports")) {
    if (modifiers.is_abstract || modifiers.is_custom)
      error(name.at, "a boxed value is neither abstract nor custom");
    return boxed_value(name, std::move(given));
  }
  if (known && known->kind == K::forward_) check_abstract();
  Declaration& made = begin_definition(kind, name, std::move(given));
  made.is_abstract = modifiers.is_abstract;
  made.is_custom = modifiers.is_custom;
  value_inheritance(made);
  body(made, [&] { value_element(made); });
  check_inherited(made);
}

void Parser::boxed_value(const Name& name, Annotations given) {
  const Location where = token_.at;
  const Type* boxed = type_spec();
  if (is_value(boxed->resolved())) error(where, "a valuetype cannot be boxed");
  add(K::value_box, name, std::move(given)).type = boxed;
}

void Parser::value_inheritance(Declaration& value) {
  if (accept(":")) value_bases(value);
  if (!accept_word("supports")) return;
  inheritance(value, value.supports);
  const auto concrete = std::ranges::count(value.supports, false, &Declaration::is_abstract);
  if (concrete > 1) error(value.at, "a valuetype supports at most one interface that is not abstract");
}

void Parser::value_bases(Declaration& value) {
  const Location where = token_.at;
  value.is_truncatable = accept_word("truncatable");
  do {
    const ScopedName base = scoped_name();
    if (base.found)
      value_base(value, base);
    else if (!base.text.ends_with("::ValueBase"))  // from which every valuetype derives
      error(base.at, "'" + base.text + "' is not declared");
  } while (accept(","));
  if (value.is_truncatable && (value.bases.empty() || value.bases[0]->is_abstract))
    error(where, "'truncatable' needs a concrete base");
  if (value.is_truncatable && value.is_custom) error(where, "a custom valuetype cannot be truncatable");
}

void Parser::value_base(Declaration& value, const ScopedName& base) {
  Declaration* const found = meant_by(base.found);
  const std::string name = "'" + base.text + "'";
  if (found == &value) return error(base.at, name + " cannot inherit from itself");
  if (found->kind != K::value && found->kind != K::event)
    return error(base.at, name + " is " + describe(found->kind) +
                              (found->kind == K::forward_ ? " only" : ", not a valuetype"));
  if (!found->is_abstract && value.is_abstract)
    error(base.at, "an abstract valuetype inherits only from abstract ones");
  if (!found->is_abstract && !value.bases.empty())
    error(base.at, "there is at most one concrete base, and it comes first");
  if (std::ranges::find(value.bases, found) != value.bases.end())
    return error(base.at, name + " is a direct base twice");
  value.bases.push_back(found);
  hold(value, *found, base.at);
}

void Parser::value_element(Declaration& value) {
  Annotations given = annotations();
  if (at_word("public") || at_word("private")) {
    if (value.is_abstract) error(token_.at, "an abstract valuetype has no state");
    const bool is_private = at_word("private");
    advance();
    const std::size_t before = value.contents.size();
    members(value, std::move(given));
    for (std::size_t i = before; i < value.contents.size(); ++i) value.contents[i]->is_private = is_private;
    return;
  }
  if (!at_word("factory")) return export_();
  if (value.is_abstract) error(token_.at, "an abstract valuetype has no factory");
  advance();
  Declaration& made = add(K::initializer, identifier("a factory's name"), std::move(given));
  parameters(made, true);
  if (accept_word("raises")) made.raises = raises_list();
  expect(";");
}

// Components and homes (CORBA 3.0.3, 3.17 and 3.18) are parsed and named, but no code is generated for them.
void Parser::component_definition(Annotations given) {
  const Name name = identifier("a component's name");
  if (at(";")) {
    if (!is_known(name, {K::component})) add(K::forward_, name, std::move(given)).forward_kind = K::component;
    return;
  }
  Declaration& made = begin_definition(K::component, name, std::move(given));
  if (accept(":")) {
    const ScopedName base = scoped_name();
    if (base.found && base.found->kind == K::component && base.found != &made)
      made.bases.push_back(base.found), hold(made, *base.found, base.at);
    else
      error(base.at, "a component inherits from a component only");
  }
  if (accept_word("supports")) inheritance(made, made.supports);
  body(made, [this] { component_export(); });
}

void Parser::component_export() {
  Annotations given = annotations();
  if (at_word("readonly") || at_word("attribute")) return attribute(std::move(given));
  constexpr const char* ports[] = {"provides", "uses", "emits",     "publishes",
                                   "consumes", "port", "mirrorport"};
  const bool known =
      std::any_of(std::begin(ports), std::end(ports), [this](const char* word) { return at_word(word); });
  if (!known) fail("a component has attributes and ports");
  advance();
  accept_word("multiple");
  const Type* type = type_spec();
  Declaration& made = add(K::member, identifier("a port's name"), std::move(given));
  made.type = type;
  expect(";");
}

void Parser::port_type_definition(Annotations given) {
  Declaration& made = add(K::port_type, identifier("a porttype's name"), std::move(given));
  body(made, [this] { component_export(); });
}

void Parser::home_definition(Annotations given) {
  Declaration& made = add(K::home, identifier("a home's name"), std::move(given));
  if (accept(":")) {
    const ScopedName base = scoped_name();
    if (base.found && base.found->kind == K::home && base.found != &made)
      made.bases.push_back(base.found), hold(made, *base.found, base.at);
    else
      error(base.at, "a home inherits from a home only");
  }
  if (accept_word("supports")) inheritance(made, made.supports);
  if (!accept_word("manages")) fail("'manages' is expected here");
  const ScopedName managed = scoped_name();
  if (!managed.found || (managed.found->kind != K::component && managed.found->kind != K::forward_))
    error(managed.at, "a home manages a component");
  if (accept_word("primarykey")) scoped_name();
  body(made, [this, &made] {
    Annotations of_element = annotations();
    if (!at_word("factory") && !at_word("finder")) return export_();
    advance();
    Declaration& one = add(K::initializer, identifier("a name"), std::move(of_element));
    parameters(one, true);
    if (accept_word("raises")) one.raises = raises_list();
    expect(";");
  });
}

}  // namespace takt::idl
