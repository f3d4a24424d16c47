#include "sema/views.h"

#include <algorithm>
#include <string>

namespace takt::idl {

namespace {

using K = DeclarationKind;

constexpr const char* name = "view";

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

// What is wrong with @view at this declaration; empty if nothing is.
std::string wrong_at(const Declaration& declaration) {
  if (declaration.kind == K::operation) return any_can(declaration) ? "" : "this operation has none";
  if (declaration.kind != K::interface_) return "it stands at one of them, an operation or an interface";
  const bool any = std::ranges::any_of(declaration.contents, [](const Declaration* inner) {
    return inner->kind == K::operation && any_can(*inner);
  });
  return any ? "" : "this interface's operations have none";
}

}  // namespace

bool can_be_view(const Declaration::Parameter& parameter) {
  const Type& type = parameter.type->resolved();
  return parameter.direction == Declaration::Direction::in && type.kind == TypeKind::sequence &&
         is_number(type.element->resolved().kind);
}

bool is_view(const Declaration& operation, const Declaration::Parameter& parameter, const Unit& unit) {
  if (!can_be_view(parameter) || unit.own_annotations.contains(name)) return false;
  return find_annotation(parameter.annotations, name) || operation.find_annotation(name) ||
         (operation.scope && operation.scope->find_annotation(name));
}

void check_views(const Unit& unit, Diagnostics& diagnostics) {
  if (unit.own_annotations.contains(name)) return;
  const auto error = [&](const AnnotationUse& use, const std::string& why) {
    diagnostics.error(use.at, "@view is for 'in' parameters that are sequences of octets or numbers; " + why);
  };
  for (const Declaration& each : unit.declarations) {
    if (const auto* use = each.find_annotation(name))
      if (const std::string why = wrong_at(each); !why.empty()) error(*use, why);
    for (const auto& parameter : each.parameters)
      if (const auto* use = find_annotation(parameter.annotations, name); use && !can_be_view(parameter))
        error(*use, "this is another");
  }
}

}  // namespace takt::idl
