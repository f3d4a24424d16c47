#include "sema/components.h"

#include <string>

namespace takt::idl {

namespace {

using K = DeclarationKind;

bool is_component(const Declaration& declaration) {
  const K kind = declaration.kind == K::forward_ ? declaration.forward_kind : declaration.kind;
  return kind == K::component || kind == K::home || kind == K::port_type;
}

bool is_in_component(const Declaration& declaration) {
  for (const Declaration* scope = declaration.scope; scope; scope = scope->scope)
    if (is_component(*scope)) return true;
  return false;
}

// The component that the type names or contains; null if there is none.
const Declaration* component_in(const Type* type) {
  for (; type; type = type->element) {
    if (type->declaration && is_component(*type->declaration)) return type->declaration;
    if (const Declaration* const key = component_in(type->key)) return key;
  }
  return nullptr;
}

const Declaration* component_used_by(const Declaration& declaration) {
  if (const Declaration* const used = component_in(declaration.type)) return used;
  for (const auto& parameter : declaration.parameters)
    if (const Declaration* const used = component_in(parameter.type)) return used;
  return nullptr;
}

}  // namespace

void check_components(const Unit& unit, Diagnostics& diagnostics) {
  for (const Declaration& declaration : unit.declarations) {
    if (!declaration.in_main_file || is_in_component(declaration)) continue;
    if (is_component(declaration)) {
      if (declaration.kind != K::forward_)
        diagnostics.warning(declaration.at, "no code is generated for '" + declaration.name +
                                                "': Takt has no component model");
    } else if (const Declaration* const used = component_used_by(declaration)) {
      diagnostics.error(declaration.at, "'" + declaration.name + "' uses '" + used->name +
                                            "', for which no code is generated: Takt has no component model");
    }
  }
}

}  // namespace takt::idl
