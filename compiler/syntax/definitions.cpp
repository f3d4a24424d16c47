#include <algorithm>
#include <set>

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

void Parser::definition_of_word(Annotations given) {
  if (token_.kind != TokenKind::identifier) fail("a definition is expected here");
  const std::string word(token_.text);
  const auto ends = [&](auto&& read) {
    advance();
    read();
    expect(";");
  };
  if (word == "module") return ends([&] { module_definition(std::move(given)); });
  if (word == "typedef") return ends([&] { typedef_definition(std::move(given)); });
  if (word == "struct") return ends([&] { struct_definition(std::move(given)); });
  if (word == "union") return ends([&] { union_definition(std::move(given)); });
  if (word == "enum") return ends([&] { enum_definition(std::move(given)); });
  if (word == "exception") return ends([&] { exception_definition(std::move(given)); });
  if (word == "const") return ends([&] { constant_definition(std::move(given)); });
  if (word == "native") return ends([&] { native_definition(std::move(given)); });
  if (word == "bitset") return ends([&] { bitset_definition(std::move(given)); });
  if (word == "bitmask") return ends([&] { bitmask_definition(std::move(given)); });
  if (word == "interface") return ends([&] { interface_definition(std::move(given), false, false); });
  if (word == "valuetype") return ends([&] { value_definition(std::move(given), false, false, false); });
  if (word == "eventtype") return ends([&] { value_definition(std::move(given), false, false, true); });
  if (word == "component") return ends([&] { component_definition(std::move(given)); });
  if (word == "home") return ends([&] { home_definition(std::move(given)); });
  if (word == "porttype") return ends([&] { port_type_definition(std::move(given)); });
  if (word == "connector") return ends([&] { component_definition(std::move(given)); });
  if (word == "typeid") return ends([&] { type_id_declaration(); });
  if (word == "typeprefix") return ends([&] { type_prefix_declaration(); });
  if (word == "import") return ends([&] { import_declaration(); });
  if (word == "alias" && look(1).kind == TokenKind::identifier)  // a template module inside another
    return ends([&] { module_definition(std::move(given)); });
  if (word == "local")
    return ends([&] {
      if (!accept_word("interface")) fail("'local' is followed by 'interface'");
      interface_definition(std::move(given), false, true);
    });
  if (word == "abstract" || word == "custom")
    return ends([&] {
      const bool abstract = word == "abstract";
      if (abstract && accept_word("interface")) return interface_definition(std::move(given), true, false);
      if (accept_word("valuetype")) return value_definition(std::move(given), abstract, !abstract, false);
      if (accept_word("eventtype")) return value_definition(std::move(given), abstract, !abstract, true);
      fail(abstract ? "'abstract' is followed by 'interface', 'valuetype' or 'eventtype'"
                    : "'custom' is followed by 'valuetype' or 'eventtype'");
    });
  fail("a definition cannot begin with '" + word + "'");
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
  Declaration* earlier = scopes_.find_here(*scope_, name.text);
  Declaration* module = nullptr;
  if (earlier && earlier->kind == K::module_ && earlier->name == name.text) {
    module = &make(K::module_, name, std::move(given));
    scope_->contents.push_back(module);
    scopes_.reopen(*module, *earlier);
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
  if (word == "struct") struct_definition({}, true);
  if (word == "union") union_definition({});
  if (word == "enum") enum_definition({});
  if (scope_->contents.size() == before) throw Skip{};
  // A member is added to its struct or union, a type to the scope around it, so the last declaration added is
  // the type.
  return scope_->contents.back();
}

// Starts a definition. A forward declaration may have announced it.
Declaration& Parser::begin_definition(K kind, const Name& name, Annotations given) {
  Declaration* earlier = scopes_.find_here(*scope_, name.text);
  if (earlier && earlier->kind == K::forward_ && earlier->name == name.text && !earlier->definition) {
    Declaration& made = make(kind, name, std::move(given));
    scope_->contents.push_back(&made);
    if (earlier->forward_kind != kind && !(kind == K::event && earlier->forward_kind == K::value)) {
      error(name.at, "'" + name.text + "' was declared forward as " + describe(earlier->forward_kind) +
                         ", and is " + describe(kind));
      diagnostics_.note(earlier->at, "the forward declaration is here");
    }
    earlier->definition = &made;
    made.repository_id = earlier->repository_id;
    scopes_.replace(made);
    return made;
  }
  return add(kind, name, std::move(given));
}

void Parser::members(Declaration& scope, Annotations given) {
  const Location where = token_.at;
  const Type* base = type_spec();
  do {
    Name name;
    const Type* type = declarator(base, name);
    check_complete(*type, where);
    hold(scope, *type, where);
    add(K::member, name, given).type = type;
  } while (accept(","));
  expect(";");
}

void Parser::struct_definition(Annotations given, bool as_type) {
  const Name name = identifier("a struct's name");
  if (at(";") && !as_type) {
    if (Declaration* earlier = scopes_.find_here(*scope_, name.text);
        earlier && earlier->name == name.text &&
        (earlier->kind == K::forward_ || earlier->kind == K::struct_))
      return;
    add(K::forward_, name).forward_kind = K::struct_;
    return;
  }
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
  open_.push_back(&made);
  body(made, [&] { members(made, annotations()); });
  open_.pop_back();
  if (!made.bases.empty()) check_inherited(made);
}

void Parser::exception_definition(Annotations given) {
  Declaration& made = add(K::exception, identifier("an exception's name"), std::move(given));
  body(made, [&] { members(made, annotations()); });
}

void Parser::union_definition(Annotations given) {
  const Name name = identifier("a union's name");
  if (at(";")) {
    if (Declaration* earlier = scopes_.find_here(*scope_, name.text);
        earlier && earlier->name == name.text && (earlier->kind == K::forward_ || earlier->kind == K::union_))
      return;
    add(K::forward_, name).forward_kind = K::union_;
    return;
  }
  Declaration& made = begin_definition(K::union_, name, std::move(given));
  if (!accept_word("switch")) fail("'switch' is expected here");
  open_.push_back(&made);
  std::set<Int128> used;
  in_scope(made, [&] {
    expect("(");
    annotations();
    const Location where = token_.at;
    made.type = type_spec();
    expect(")");
    const Type& discriminator = made.type->resolved();
    IntegerRange range;
    const bool fits = integer_range(discriminator, range) || discriminator.kind == TypeKind::boolean ||
                      discriminator.kind == TypeKind::char_ || discriminator.kind == TypeKind::wchar ||
                      (discriminator.kind == TypeKind::named && discriminator.declaration->kind == K::enum_);
    if (!fits) {
      error(where,
            "a union switches on an integer, character, boolean or enum, not on " + describe(*made.type));
      made.type = simple(TypeKind::any);  // accepts any label
    }
    if (at("{") && look(1).is("}")) error(look(1).at, "a union has at least one member");
    body(made, [&] { union_case(made, used); });
  });
  open_.pop_back();
  // Whether the labels cover all values of the discriminator.
  const Type& discriminator = made.type->resolved();
  Int128 values = 0;
  IntegerRange range;
  if (discriminator.kind == TypeKind::boolean)
    values = 2;
  else if (discriminator.kind == TypeKind::char_)
    values = 256;
  else if (discriminator.kind == TypeKind::wchar)
    values = 0x110000;
  else if (integer_range(discriminator, range))
    values = range.most - range.least + 1;
  else if (discriminator.kind == TypeKind::named)
    values = static_cast<Int128>(discriminator.declaration->contents.size());
  const auto* last_default = [&]() -> const Declaration* {
    for (const Declaration* member : made.contents)
      if (member->default_label) return member;
    return nullptr;
  }();
  const bool all = values > 0 && static_cast<Int128>(used.size()) >= values;
  if (all && last_default) error(last_default->at, "'default' has no value to match: all values have labels");
  made.has_implicit_default = !all && !last_default;
}

namespace {

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

void Parser::union_case(Declaration& made, std::set<Int128>& used) {
  std::vector<Value> labels;
  bool is_default = false;
  Annotations given = annotations();
  while (at_word("case") || at_word("default")) {
    const Location where = token_.at;
    if (accept_word("default")) {
      for (const Declaration* member : made.contents) is_default |= member->default_label;
      if (is_default) error(where, "a union has at most one 'default'");
      is_default = true;
    } else {
      advance();
      // The enumerators of the discriminator's enum are known in labels without qualification.
      const Location label_at = token_.at;
      Value label;
      const Type& type = made.type->resolved();
      Declaration* enumerator = nullptr;
      if (type.kind == TypeKind::named && token_.kind == TokenKind::identifier && !look(1).is("::"))
        enumerator = scopes_.find_here(*type.declaration->scope, token_.text);
      if (enumerator && enumerator->kind == K::enumerator &&
          enumerator->type->declaration == type.declaration) {
        label = Value{static_cast<const Declaration*>(enumerator)};
        advance();
      } else {
        label = made.type->kind == TypeKind::any ? expression() : constant_of(*made.type);
      }
      if (!used.insert(label_key(label)).second) error(label_at, "this label appears twice in the union");
      labels.push_back(label);
    }
    expect(":");
  }
  if (labels.empty() && !is_default) fail("'case' or 'default' is expected here");
  for (auto& more : annotations()) given.push_back(std::move(more));
  const Location where = token_.at;
  const Type* base = type_spec();
  Name name;
  const Type* type = declarator(base, name);
  check_complete(*type, where);
  hold(made, *type, where);
  expect(";");
  Declaration& member = add(K::member, name, std::move(given));
  member.type = type;
  member.labels = std::move(labels);
  member.default_label = is_default;
}

void Parser::enum_definition(Annotations given) {
  Declaration& made = add(K::enum_, identifier("an enum's name"), std::move(given));
  const std::uint32_t bits = bit_bound(made, 32).value_or(32);
  const Type* type = named_type(made);
  expect("{");
  if (at("}")) fail("an enum has at least one enumerator");
  Int128 ordinal = 0;
  do {
    Annotations of_enumerator = annotations();
    const Name name = identifier("an enumerator");
    // Enumerators belong to the scope around the enum (7.5.2).
    Declaration& enumerator = make(K::enumerator, name, std::move(of_enumerator));
    if (const AnnotationUse* value = enumerator.find_annotation("value"); value && !value->arguments.empty())
      if (const auto* integer = std::get_if<Int128>(&value->arguments[0].second.is)) ordinal = *integer;
    if (ordinal >= Int128{1} << bits)
      error(name.at, "'" + name.text + "' is " + integer_to_text(ordinal) +
                         ", which needs more than the enum's " + std::to_string(bits) +
                         (bits == 1 ? " bit" : " bits"));
    enumerator.type = type;
    enumerator.value = {ordinal++};
    if (!scopes_.declare(enumerator)) continue;
    made.contents.push_back(&enumerator);
  } while (accept(","));
  expect("}");
}

void Parser::constant_definition(Annotations given) {
  const Location where = token_.at;
  const Type* type = type_spec();
  const Type& held = type->resolved();
  IntegerRange range;
  const bool fits =
      integer_range(held, range) || (held.kind >= TypeKind::boolean && held.kind <= TypeKind::long_double) ||
      held.kind == TypeKind::string || held.kind == TypeKind::wstring || held.kind == TypeKind::fixed ||
      (held.kind == TypeKind::named &&
       (held.declaration->kind == K::enum_ || held.declaration->kind == K::bitmask));
  if (!fits) error(where, "a constant cannot have the type " + describe(*type));
  const Name name = identifier("a constant's name");
  expect("=");
  const bool narrow = held.kind == TypeKind::wchar && token_.kind == TokenKind::character;
  const bool wide = held.kind == TypeKind::char_ && token_.kind == TokenKind::wide_character;
  if (narrow) error(token_.at, "a wchar constant is written with L before the quote");
  if (wide) error(token_.at, "a char constant is written without L before the quote");
  // A character after a wrong prefix is not also checked against the type.
  const Value value = fits && !wide && !narrow ? constant_of(*type) : expression();
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
