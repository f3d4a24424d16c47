#include <algorithm>
#include <set>
#include <utility>

#include "sema/constants.h"
#include "syntax/parser.h"

namespace takt::idl {

void Parser::definition() {
  if (at("@") && look(1).text == "annotation") {
    advance();
    advance();
    return annotation_definition();
  }
  Annotations given = annotations();
  definition_of_word(std::move(given));
}

const Parser::Beginning* Parser::beginning_of(std::string_view word) {
  using enum Within;
  static constexpr Beginning beginnings[] = {
      {"struct", &Parser::struct_definition, members},
      {"union", &Parser::union_definition, members},
      {"enum", &Parser::enum_definition, members},
      {"typedef", &Parser::typedef_definition, interfaces},
      {"exception", &Parser::exception_definition, interfaces},
      {"const", &Parser::constant_definition, interfaces},
      {"native", &Parser::native_definition, interfaces},
      {"bitset", &Parser::bitset_definition, interfaces},
      {"bitmask", &Parser::bitmask_definition, interfaces},
      {"typeid", &Parser::type_id_declaration, interfaces},
      {"typeprefix", &Parser::type_prefix_declaration, interfaces},
      {"import", &Parser::import_declaration, interfaces},
      {"module", &Parser::module_definition, modules},
      {"alias", &Parser::module_definition, modules},  // a template module inside another
      {"interface", &Parser::plain_interface, modules},
      {"local", &Parser::local_interface, modules},
      {"valuetype", &Parser::plain_value, modules},
      {"eventtype", &Parser::plain_event, modules},
      {"abstract", &Parser::abstract_definition, modules},
      {"custom", &Parser::custom_value, modules},
      {"component", &Parser::component_definition, modules},
      {"connector", &Parser::component_definition, modules},
      {"home", &Parser::home_definition, modules},
      {"porttype", &Parser::port_type_definition, modules},
  };
  const auto* const found = std::ranges::find(beginnings, word, &Beginning::word);
  return found == std::end(beginnings) ? nullptr : found;
}

void Parser::definition_of_word(Annotations given) {
  if (at("}") &&
      assumed_braces_ > 0) {  // it was there after all: what it should not have contained was inside
    --assumed_braces_;
    throw Skip{};
  }
  if (token_.kind != TokenKind::identifier) fail("a definition is expected here");
  const Beginning* const begins = beginning_of(token_.text);
  if (!begins || token_.escaped || (token_.text == "alias" && look(1).kind != TokenKind::identifier)) {
    // The rest of what has been closed too early causes no further errors.
    if (std::exchange(is_astray_, true)) throw Skip{};
    fail("a definition cannot begin with '" + std::string(token_.text) + "'");
  }
  is_astray_ = false;
  advance();
  (this->*begins->reader)(std::move(given));
  expect(";");
}

void Parser::module_definition(Annotations given) {
  // An instance names its template module, which may be in another module: module M::List<long> Longs;
  if (at("::") || look(1).is("::")) {
    const ScopedName of = scoped_name();
    if (!of.found) fail("'" + of.text + "' is not a template module");
    const auto actual = bracketed();
    return template_instance(*of.found, {of.text, of.at}, actual, std::move(given));
  }
  const Name name = identifier("a module's name");
  if (!at("<")) return plain_module(name, std::move(given));
  const auto parts = bracketed();
  if (at("{")) return template_definition(name, parts, std::move(given));
  template_instance(*resolve_next(scope_, name, true), name, parts, std::move(given));
}

void Parser::plain_module(const Name& name, Annotations given) {
  Declaration* const known = earlier(name);
  Declaration* module = nullptr;
  if (known && known->kind == K::module_) {
    module = &make(K::module_, name, std::move(given));
    scope_->contents.push_back(module);
    scopes_.reopen(*module, *known);
  } else {
    module = &add(K::module_, name, std::move(given));
  }
  if (at("{") && look(1).is("}")) error(token_.at, "a module has at least one definition");
  body(*module, [this] { definition(); });
}

void Parser::typedef_definition(Annotations given) {
  const Location where = token_.at;
  const Type* base = type_spec();
  do {
    Name name;
    const Type* type = declarator(base, name);
    check_complete(*base, where);
    Declaration& made = add(K::typedef_, name, given);
    made.type = type;
    made.nesting = type->nesting;
  } while (accept(","));
}

Declaration* Parser::constructed_type() {
  const std::string word(token_.text);
  advance();
  const std::size_t before = scope_->contents.size();
  if (word == "struct") struct_members(identifier("a struct's name"), {});
  if (word == "union") union_definition({});
  if (word == "enum") enum_definition({});
  if (scope_->contents.size() == before) throw Skip{};
  // A member is added to its struct or union, a type to the scope around it, so the last declaration added is
  // the type.
  return scope_->contents.back();
}

// Starts a definition. A forward declaration may have announced it.
Declaration& Parser::begin_definition(K kind, const Name& name, Annotations given) {
  Declaration* const forward = earlier(name);
  if (!forward || forward->kind != K::forward_ || forward->definition)
    return add(kind, name, std::move(given));
  Declaration& made = make(kind, name, std::move(given));
  scope_->contents.push_back(&made);
  if (forward->forward_kind != kind && !(kind == K::event && forward->forward_kind == K::value)) {
    error(name.at, "'" + name.text + "' was declared forward as " + describe(forward->forward_kind) +
                       ", and is " + describe(kind));
    diagnostics_.note(forward->at, "the forward declaration is here");
  }
  forward->definition = &made;
  ids_.define(*forward, made);
  scopes_.replace(made);
  return made;
}

Declaration* Parser::earlier(const Name& name) {
  Declaration* const found = scopes_.find_here(*scope_, name.text);
  return found && found->name == name.text ? found : nullptr;
}

void Parser::members(Declaration& scope, Annotations given) {
  const Location where = token_.at;
  bool is_optional = has_annotation(given, "optional");
  if (is_optional && scope.kind != K::struct_ && scope.kind != K::exception) {
    diagnostics_.warning(where,
                         "@optional has no effect on a member of " + std::string(describe(scope.kind)));
    is_optional = false;
  }
  const Type* base = type_spec();
  do {
    Name name;
    const Type* type = declarator(base, name);
    check_complete(*type, where);
    hold(scope, *type, where);
    Declaration& member = add(K::member, name, given);
    member.type = type;
    member.is_optional = is_optional;
  } while (accept(","));
  expect(";");
}

void Parser::forward_declaration(K kind, const Name& name) {
  if (!is_known(name, {kind})) add(K::forward_, name).forward_kind = kind;
}

bool Parser::is_known(const Name& name, std::initializer_list<K> kinds) {
  const Declaration* const known = earlier(name);
  return known && std::ranges::find(kinds, known->kind == K::forward_ ? known->forward_kind : known->kind) !=
                      kinds.end();
}

void Parser::struct_definition(Annotations given) {
  const Name name = identifier("a struct's name");
  if (at(";")) return forward_declaration(K::struct_, name);
  struct_members(name, std::move(given));
}

void Parser::struct_members(const Name& name, Annotations given) {
  Declaration& made = begin_definition(K::struct_, name, std::move(given));
  if (accept(":")) {
    const ScopedName base = scoped_name();
    if (!base.found || base.found->kind != K::struct_ || base.found == &made ||
        std::find(open_.begin(), open_.end(), base.found) != open_.end()) {
      error(base.at, "a struct can inherit only from a struct that is already defined");
    } else {
      made.bases.push_back(base.found);
      hold(made, *base.found, base.at);
    }
  }
  {
    const Open open(open_, made);
    body(made, [&] { members(made, annotations()); });
  }
  if (!made.bases.empty()) check_inherited(made);
}

void Parser::exception_definition(Annotations given) {
  Declaration& made = add(K::exception, identifier("an exception's name"), std::move(given));
  body(made, [&] { members(made, annotations()); });
}

namespace {

bool can_be_discriminator(const Type& type) {
  IntegerRange range;
  return integer_range(type, range) || type.kind == TypeKind::boolean || type.kind == TypeKind::char_ ||
         type.kind == TypeKind::wchar ||
         (type.kind == TypeKind::named && type.declaration->kind == DeclarationKind::enum_);
}

// The number of values of a discriminator's type; 0 if it cannot be one.
Int128 number_of_values(const Type& type) {
  IntegerRange range;
  if (integer_range(type, range)) return range.most - range.least + 1;
  switch (type.kind) {
    case TypeKind::boolean:
      return 2;
    case TypeKind::char_:
      return 256;
    case TypeKind::wchar:
      return 0x110000;
    case TypeKind::named:
      return static_cast<Int128>(type.declaration->contents.size());
    default:
      return 0;
  }
}

// The member with the label `default`; null if there is none.
const Declaration* default_of(const Declaration& of_union) {
  const auto found = std::ranges::find(of_union.contents, true, &Declaration::default_label);
  return found == of_union.contents.end() ? nullptr : *found;
}

// A key that orders the labels of one discriminator.
Int128 label_key(const Value& label) {
  if (const auto* integer = std::get_if<Int128>(&label.is)) return *integer;
  if (const auto* boolean = std::get_if<bool>(&label.is)) return *boolean;
  if (const auto* character = std::get_if<char32_t>(&label.is)) return *character;
  if (const auto* enumerator = std::get_if<const Declaration*>(&label.is))
    return static_cast<Int128>(reinterpret_cast<std::uintptr_t>(*enumerator));
  return 0;
}

}  // namespace

void Parser::union_definition(Annotations given) {
  const Name name = identifier("a union's name");
  if (at(";")) return forward_declaration(K::union_, name);
  Declaration& made = begin_definition(K::union_, name, std::move(given));
  if (!accept_word("switch")) fail("'switch' is expected here");
  std::set<Int128> used;
  in_scope(made, [&] {
    const Open open(open_, made);
    discriminator(made);
    if (at("{") && look(1).is("}")) error(look(1).at, "a union has at least one member");
    body(made, [&] { union_member(made, used); });
  });
  const Int128 values = number_of_values(made.type->resolved());
  const bool has_all_labels = values > 0 && static_cast<Int128>(used.size()) >= values;
  const Declaration* const by_default = default_of(made);
  if (has_all_labels && by_default)
    error(by_default->at, "'default' has no value to match: all values have labels");
  made.has_implicit_default = !has_all_labels && !by_default;
}

void Parser::discriminator(Declaration& of_union) {
  expect("(");
  annotations();
  const Location where = token_.at;
  of_union.type = type_spec();
  expect(")");
  if (can_be_discriminator(of_union.type->resolved())) return;
  error(where,
        "a union switches on an integer, character, boolean or enum, not on " + describe(*of_union.type));
  of_union.type = simple(TypeKind::any);  // accepts any label
}

void Parser::union_member(Declaration& of_union, std::set<Int128>& used) {
  Annotations given = annotations();
  std::vector<Value> labels;
  bool is_default = false;
  while (at_word("case") || at_word("default")) {
    const Location where = token_.at;
    if (accept_word("default")) {
      if (is_default || default_of(of_union)) error(where, "a union has at most one 'default'");
      is_default = true;
    } else {
      advance();
      const Location label_at = token_.at;
      labels.push_back(label(of_union));
      if (!used.insert(label_key(labels.back())).second)
        error(label_at, "this label appears twice in the union");
    }
    expect(":");
  }
  if (labels.empty() && !is_default) fail("'case' or 'default' is expected here");
  for (auto& more : annotations()) given.push_back(std::move(more));
  const Location where = token_.at;
  if (has_annotation(given, "optional")) error(where, "a member of a union cannot be @optional");
  const Type* base = type_spec();
  Name name;
  const Type* type = declarator(base, name);
  check_complete(*type, where);
  hold(of_union, *type, where);
  expect(";");
  Declaration& member = add(K::member, name, std::move(given));
  member.type = type;
  member.labels = std::move(labels);
  member.default_label = is_default;
}

// The enumerators of the discriminator's enum are known in labels without qualification.
Value Parser::label(const Declaration& of_union) {
  const Type& type = of_union.type->resolved();
  if (type.kind == TypeKind::named && token_.kind == TokenKind::identifier && !look(1).is("::")) {
    const Declaration* const found = scopes_.find_here(*type.declaration->scope, token_.text);
    if (found && found->kind == K::enumerator && found->type->declaration == type.declaration) {
      if (unit_.keeps_uses) unit_.uses.push_back({token_.at, found});
      advance();
      return {found};
    }
  }
  return of_union.type->kind == TypeKind::any ? expression() : constant_of(*of_union.type);
}

void Parser::check_enumerator(const Name& name, Int128 value, std::uint32_t bits, std::set<Int128>& used) {
  const std::string is = "'" + name.text + "' is " + integer_to_text(value);
  if (value < 0)
    error(name.at, is + "; an enumerator's value cannot be negative");
  else if (value >= Int128{1} << bits)
    error(name.at,
          is + ", which needs more than the enum's " + std::to_string(bits) + (bits == 1 ? " bit" : " bits"));
  else if (value == UINT32_MAX)
    error(name.at, is + "; the greatest value of an enumerator is 4294967294");
  else if (!used.insert(value).second)
    error(name.at, is + ", as another enumerator of the enum");
}

void Parser::enum_definition(Annotations given) {
  Declaration& made = add(K::enum_, identifier("an enum's name"), std::move(given));
  const std::uint32_t bits = bit_bound(made, 32).value_or(32);
  const Type* type = named_type(made);
  expect("{");
  if (at("}")) fail("an enum has at least one enumerator");
  Int128 ordinal = 0;
  std::set<Int128> used;
  do {
    Annotations of_enumerator = annotations();
    const Name name = identifier("an enumerator");
    // Enumerators belong to the scope around the enum (7.5.2).
    Declaration& enumerator = make(K::enumerator, name, std::move(of_enumerator));
    if (const AnnotationUse* value = enumerator.find_annotation("value");
        value && !value->arguments.empty() && !unit_.own_annotations.contains("value"))
      if (const auto* integer = std::get_if<Int128>(&value->arguments[0].second.is)) ordinal = *integer;
    check_enumerator(name, ordinal, bits, used);
    enumerator.type = type;
    enumerator.value = {ordinal++};
    if (!scopes_.declare(enumerator)) continue;
    made.contents.push_back(&enumerator);
  } while (accept(","));
  expect("}");
}

namespace {

bool can_be_constant(const Type& type) {
  IntegerRange range;
  if (integer_range(type, range) || (type.kind >= TypeKind::boolean && type.kind <= TypeKind::long_double))
    return true;
  if (type.kind == TypeKind::named)
    return type.declaration->kind == DeclarationKind::enum_ ||
           type.declaration->kind == DeclarationKind::bitmask;
  return type.kind == TypeKind::string || type.kind == TypeKind::wstring || type.kind == TypeKind::fixed;
}

// The complaint about a character literal whose prefix does not fit the constant's type; null if it does.
const char* wrong_prefix(const Type& type, const Token& literal) {
  if (type.kind == TypeKind::wchar && literal.kind == TokenKind::character)
    return "a wchar constant is written with L before the quote";
  if (type.kind == TypeKind::char_ && literal.kind == TokenKind::wide_character)
    return "a char constant is written without L before the quote";
  return nullptr;
}

}  // namespace

void Parser::constant_definition(Annotations given) {
  const Location where = token_.at;
  const Type* type = [this] {
    const Temporarily of_constant(of_constant_, true);
    return type_spec();
  }();
  const Type& held = type->resolved();
  const bool fits = can_be_constant(held);
  if (!fits) error(where, "a constant cannot have the type " + describe(*type));
  const Name name = identifier("a constant's name");
  expect("=");
  const char* const complaint = wrong_prefix(held, token_);
  if (complaint) error(token_.at, complaint);
  // A character after a wrong prefix is not also checked against the type.
  const Value value = fits && !complaint ? constant_of(*type) : expression();
  Declaration& made = add(K::constant, name, std::move(given));
  made.type = type;
  made.value = value;
}

void Parser::native_definition(Annotations given) {
  add(K::native, identifier("a native type's name"), std::move(given));
}

void Parser::bitset_definition(Annotations given) {
  Declaration& made = add(K::bitset, identifier("a bitset's name"), std::move(given));
  if (accept(":")) {
    const ScopedName base = scoped_name();
    if (!base.found || base.found->kind != K::bitset || base.found == &made) {
      error(base.at, "a bitset inherits from a bitset only");
    } else {
      made.bases.push_back(base.found);
      hold(made, *base.found, base.at);
    }
  }
  std::uint32_t total = made.bases.empty() ? 0 : made.bases[0]->width;
  body(made, [&] {
    Annotations of_field = annotations();
    const Location where = token_.at;
    if (has_annotation(of_field, "optional"))
      diagnostics_.warning(where, "@optional has no effect on a bit field");
    if (!accept_word("bitfield")) fail("'bitfield' is expected here");
    expect("<");
    const auto width = positive_constant("a bit field's width");
    const Type* type = accept(",") ? type_spec() : nullptr;
    expect(">");
    if (width > 64) error(where, "a bit field has at most 64 bits");
    const auto bits = static_cast<std::uint32_t>(std::min<std::uint64_t>(width, 64));
    if (at(";")) total += bits;  // without a name: leaves its bits unused
    while (!at(";")) {
      Declaration& field = add(K::member, identifier("a bit field's name"), of_field);
      field.type = type;
      field.width = bits;
      field.first_bit = total;
      total += bits;
      if (!accept(",") && !at(";")) fail("';' is expected here");
    }
    if (total > 64) error(where, "a bitset has at most 64 bits in total");
    expect(";");
  });
  made.width = total;
}

// The value of @bit_bound, if the declaration has it (8.3.4.1).
std::optional<std::uint32_t> Parser::bit_bound(const Declaration& declaration, std::uint32_t most) {
  const AnnotationUse* bound = declaration.find_annotation("bit_bound");
  if (!bound) return std::nullopt;
  const auto* integer =
      bound->arguments.empty() ? nullptr : std::get_if<Int128>(&bound->arguments[0].second.is);
  if (integer && *integer >= 1 && *integer <= most) return static_cast<std::uint32_t>(*integer);
  error(bound->at, std::string(declaration.kind == K::enum_ ? "an enum" : "a bitmask") + " has 1 to " +
                       std::to_string(most) + " bits");
  return std::nullopt;
}

void Parser::bitmask_definition(Annotations given) {
  Declaration& made = add(K::bitmask, identifier("a bitmask's name"), std::move(given));
  made.width = bit_bound(made, 64).value_or(32);
  const Type* type = named_type(made);
  expect("{");
  Int128 position = 0;
  in_scope(made, [&] {
    do {
      Annotations of_bit = annotations();
      Declaration& bit = add(K::enumerator, identifier("a bit's name"), std::move(of_bit));
      if (const AnnotationUse* given_position = bit.find_annotation("position");
          given_position && !given_position->arguments.empty())
        if (const auto* integer = std::get_if<Int128>(&given_position->arguments[0].second.is))
          position = *integer;
      if (position < 0 || position >= made.width)
        error(bit.at,
              "bit " + integer_to_text(position) + " is beyond the bitmask's " + std::to_string(made.width));
      bit.type = type;
      bit.value = {position++};
    } while (accept(","));
  });
  expect("}");
}

}  // namespace takt::idl
