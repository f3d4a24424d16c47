#include "sema/views.h"

#include <algorithm>
#include <string>

namespace takt::idl {

namespace {

using K = DeclarationKind;

constexpr const char *view = "view", *held = "held";

bool is_number(TypeKind kind) {
  switch (kind) {
    case TypeKind::octet:
    case TypeKind::int8:
    case TypeKind::uint8:
    case TypeKind::int16:
    case TypeKind::uint16:
    case TypeKind::int32:
    case TypeKind::uint32:
    case TypeKind::int64:
    case TypeKind::uint64:
    case TypeKind::float_:
    case TypeKind::double_:
      return true;
    default:
      return false;
  }
}

bool any_can(const Declaration& operation) { return std::ranges::any_of(operation.parameters, can_be_view); }

// The error that @view makes at this declaration; empty if it is allowed.
std::string wrong_at(const Declaration& declaration) {
  if (declaration.kind == K::operation)
    return any_can(declaration) ? "" : "this operation has no such parameter";
  if (declaration.kind != K::interface_)
    return "it belongs on such a parameter, an operation or an interface";
  const bool any = std::ranges::any_of(declaration.contents, [](const Declaration* inner) {
    return inner->kind == K::operation && any_can(*inner);
  });
  return any ? "" : "this interface's operations have no such parameter";
}

}  // namespace

bool can_be_view(const Declaration::Parameter& parameter) {
  const Type& type = parameter.type->resolved();
  return parameter.direction == Declaration::Direction::in && type.kind == TypeKind::sequence &&
         is_number(type.element->resolved().kind);
}

bool is_view(const Declaration& operation, const Declaration::Parameter& parameter, const Unit& unit) {
  if (!can_be_view(parameter) || unit.own_annotations.contains(view)) return false;
  return find_annotation(parameter.annotations, view) || operation.find_annotation(view) ||
         (operation.scope && operation.scope->find_annotation(view));
}

bool can_be_held(const Declaration& operation) {
  if (operation.kind != K::operation || !operation.type) return false;
  const Type& type = operation.type->resolved();
  return type.kind == TypeKind::sequence && !type.bound && type.element->resolved().kind == TypeKind::octet;
}

bool is_held(const Declaration& operation, const Unit& unit) {
  return can_be_held(operation) && operation.find_annotation(held) && !unit.own_annotations.contains(held);
}

namespace {

void check_view(const Declaration& each, Diagnostics& diagnostics) {
  const auto error = [&](const AnnotationUse& use, const std::string& why) {
    diagnostics.error(use.at,
                      "@view applies to 'in' parameters that are sequences of octets or numbers; " + why);
  };
  if (const auto* use = each.find_annotation(view))
    if (const std::string why = wrong_at(each); !why.empty()) error(*use, why);
  for (const auto& parameter : each.parameters)
    if (const auto* use = find_annotation(parameter.annotations, view); use && !can_be_view(parameter))
      error(*use, "this parameter is not one");
}

void check_held(const Declaration& each, Diagnostics& diagnostics) {
  const auto error = [&](const AnnotationUse& use, const std::string& why) {
    diagnostics.error(use.at,
                      "@held applies to operations whose result is an unbounded sequence of octets; " + why);
  };
  if (const auto* use = each.find_annotation(held); use && !can_be_held(each))
    error(*use, each.kind == K::operation ? "this operation returns another type"
                                          : "it belongs on such an operation");
  for (const auto& parameter : each.parameters)
    if (const auto* use = find_annotation(parameter.annotations, held)) error(*use, "this is a parameter");
}

}  // namespace

void check_views(const Unit& unit, Diagnostics& diagnostics) {
  for (const Declaration& each : unit.declarations) {
    if (!unit.own_annotations.contains(view)) check_view(each, diagnostics);
    if (!unit.own_annotations.contains(held)) check_held(each, diagnostics);
  }
}

}  // namespace takt::idl
