#include "sema/interpreted.h"

namespace takt::idl {

namespace {

using K = DeclarationKind;

constexpr const char* interpreted = "interpreted";

// The value of @interpreted, @interpreted(TRUE) or @interpreted(FALSE); none for other arguments.
std::optional<bool> value_of(const AnnotationUse& use) {
  if (use.arguments.empty()) return true;
  if (use.arguments.size() > 1) return std::nullopt;
  const auto* value = std::get_if<bool>(&use.arguments[0].second.is);
  return value ? std::optional(*value) : std::nullopt;
}

bool has_stubs(const Declaration* interface) {
  return interface && interface->kind == K::interface_ && !interface->is_local;
}
bool may_be_interpreted(const Declaration& each) {
  if (each.kind == K::operation || each.kind == K::attribute) return has_stubs(each.scope);
  return has_stubs(&each);
}

}  // namespace

std::optional<bool> takes_interpreter(const Declaration& operation, const Unit& unit) {
  if (unit.own_annotations.contains(interpreted)) return std::nullopt;
  if (const auto* use = operation.find_annotation(interpreted)) return value_of(*use);
  const auto* use = operation.scope ? operation.scope->find_annotation(interpreted) : nullptr;
  return use ? value_of(*use) : std::nullopt;
}

void check_interpreted(const Unit& unit, Diagnostics& diagnostics) {
  if (unit.own_annotations.contains(interpreted)) return;
  for (const Declaration& each : unit.declarations) {
    const auto* use = each.find_annotation(interpreted);
    if (use && !may_be_interpreted(each))
      diagnostics.error(
          use->at, "@interpreted applies to interfaces that are not local, their operations and attributes");
    else if (use && !value_of(*use))
      diagnostics.error(use->at, "@interpreted takes TRUE, FALSE or no argument");
    for (const auto& parameter : each.parameters)
      if (const auto* other = find_annotation(parameter.annotations, interpreted))
        diagnostics.error(other->at, "@interpreted applies to operations; this is a parameter");
  }
}

}  // namespace takt::idl
