#include "sema/defaults.h"

#include <algorithm>
#include <string>

#include "sema/constants.h"

namespace takt::idl {

namespace {

using K = DeclarationKind;

constexpr const char *default_value = "default", *default_literal = "default_literal";

AnnotationUse* find(Declaration& declaration, std::string_view name) {
  const auto found = std::ranges::find(declaration.annotations, name, &AnnotationUse::name);
  return found == declaration.annotations.end() || found->arguments.empty() ? nullptr : &*found;
}

const Value* given(const Declaration& declaration) {
  const AnnotationUse* use = declaration.find_annotation(default_value);
  if (!use || use->arguments.empty()) return nullptr;
  const Value& value = use->arguments[0].second;
  return std::holds_alternative<std::monostate>(value.is) ? nullptr : &value;
}

// Whether values of the type can be written as constants.
bool has_constants(const Type& type) {
  switch (type.kind) {
    case TypeKind::named:
      return type.declaration->kind == K::enum_ || type.declaration->kind == K::bitmask;
    case TypeKind::string:
    case TypeKind::wstring:
    case TypeKind::fixed:
      return true;
    default:
      return type.kind >= TypeKind::boolean && type.kind <= TypeKind::long_double;
  }
}

// Annotations are less strict than constants: 2 is a value of a float, and an enumerator needs no scope.
Folded value_for(const Value& value, const Type& type) {
  if (const auto* integer = std::get_if<Int128>(&value.is)) {
    if (type.kind >= TypeKind::float_ && type.kind <= TypeKind::long_double)
      return convert({static_cast<long double>(*integer)}, type);
    if (type.kind == TypeKind::fixed) return convert({FixedValue{*integer, 0}}, type);
  }
  const auto* name = std::get_if<std::string>(&value.is);
  if (name && type.kind == TypeKind::named && type.declaration->kind == K::enum_) {
    const auto& enumerators = type.declaration->contents;
    const auto found = std::ranges::find(enumerators, *name, &Declaration::name);
    if (found == enumerators.end())
      return std::unexpected("'" + *name + "' is no enumerator of " + type.declaration->scoped_name());
    return Value{static_cast<const Declaration*>(*found)};
  }
  return convert(value, type);
}

void check_value(Declaration& declaration, Diagnostics& diagnostics) {
  AnnotationUse* const use = find(declaration, default_value);
  if (!use || !given(declaration)) return;
  Value& value = use->arguments[0].second;
  const Type& type = declaration.type->resolved();
  if (!has_constants(type)) {
    diagnostics.warning(use->at, "@default has no effect here, because " + describe(*declaration.type) +
                                     " is not a type that constants can have");
    value = {};
    return;
  }
  if (Folded converted = value_for(value, type))
    value = *converted;
  else
    diagnostics.error(use->argument_places[0], converted.error());
}

void check_literals(const Declaration& made, Diagnostics& diagnostics) {
  const AnnotationUse* first = nullptr;
  for (const Declaration* enumerator : made.contents) {
    const AnnotationUse* const use = enumerator->find_annotation(default_literal);
    if (use && first) {
      diagnostics.error(use->at, "an enum has at most one @default_literal");
      diagnostics.note(first->at, "the first is here");
    } else if (use) {
      first = use;
    }
  }
}

}  // namespace

void check_defaults(Unit& unit, Diagnostics& diagnostics) {
  for (Declaration& declaration : unit.declarations) {
    if (declaration.kind == K::enum_ && !unit.own_annotations.contains(default_literal))
      check_literals(declaration, diagnostics);
    if ((declaration.kind == K::member || declaration.kind == K::typedef_) && declaration.type &&
        !unit.own_annotations.contains(default_value))
      check_value(declaration, diagnostics);
  }
}

std::optional<Value> default_of(const Declaration& member, const Unit& unit) {
  if (!unit.own_annotations.contains(default_value)) {
    if (const Value* own = given(member)) return *own;
    for (const Type* type = member.type; type->kind == TypeKind::named; type = type->declaration->type) {
      if (type->declaration->kind != K::typedef_) break;
      if (const Value* value = given(*type->declaration)) return *value;
    }
  }
  const Type& type = member.type->resolved();
  if (type.kind != TypeKind::named || type.declaration->kind != K::enum_) return std::nullopt;
  const auto& enumerators = type.declaration->contents;
  if (!unit.own_annotations.contains(default_literal))
    for (const Declaration* enumerator : enumerators)
      if (enumerator->find_annotation(default_literal)) return Value{enumerator};
  // With @value, no enumerator need be 0.
  const auto is_zero = [](const Declaration* enumerator) {
    const auto* const value = std::get_if<Int128>(&enumerator->value.is);
    return !value || *value == 0;
  };
  if (!enumerators.empty() && std::ranges::none_of(enumerators, is_zero)) return Value{enumerators.front()};
  return std::nullopt;
}

}  // namespace takt::idl
