#include "sema/secrets.h"

#include <algorithm>

namespace takt::idl {

namespace {

using K = DeclarationKind;

constexpr const char* secret = "secret";

bool is_value(const Declaration& declaration) {
  return declaration.kind == K::value || declaration.kind == K::event;
}

bool may_be_secret(K kind) {
  return kind == K::member || kind == K::typedef_ || kind == K::operation || kind == K::attribute ||
         kind == K::interface_;
}

}  // namespace

bool Secrets::has(const Declaration& declaration) const {
  if (unit_.own_annotations.contains(secret)) return false;
  if (declaration.find_annotation(secret)) return true;
  if (declaration.scope && declaration.scope->find_annotation(secret)) return true;
  Seen seen;
  const auto in_parameter = [&](const Declaration::Parameter& parameter) {
    return find_annotation(parameter.annotations, secret) || in_type(parameter.type, seen);
  };
  return in_type(declaration.type, seen) || std::ranges::any_of(declaration.parameters, in_parameter) ||
         in_all(declaration.raises, seen) || in_all(declaration.set_raises, seen);
}

bool Secrets::in_type(const Type* type, Seen& seen) const {
  for (; type; type = type->element) {
    if (type->key && in_type(type->key, seen)) return true;
    if (type->kind == TypeKind::named) return in_definition(defined(*type->declaration), seen);
  }
  return false;
}

bool Secrets::in_definition(const Declaration& declaration, Seen& seen) const {
  if (declaration.kind == K::interface_ || !seen.insert(&declaration).second) return false;
  if (declaration.kind == K::typedef_ && declaration.find_annotation(secret)) return true;
  if (in_type(declaration.type, seen) || in_all(declaration.bases, seen)) return true;
  for (const Declaration* member : declaration.contents)
    if (member->kind == K::member && (member->find_annotation(secret) || in_type(member->type, seen)))
      return true;
  const auto derived_has = [&](const Declaration& other) {
    return is_value(other) && other.derives_from(declaration) && in_definition(other, seen);
  };
  return is_value(declaration) && std::ranges::any_of(unit_.declarations, derived_has);
}

bool Secrets::in_all(const std::vector<Declaration*>& declarations, Seen& seen) const {
  return std::ranges::any_of(declarations,
                             [&](const Declaration* one) { return in_definition(defined(*one), seen); });
}

void check_secrets(const Unit& unit, Diagnostics& diagnostics) {
  if (unit.own_annotations.contains(secret)) return;
  for (const Declaration& each : unit.declarations)
    if (const auto* use = each.find_annotation(secret); use && !may_be_secret(each.kind))
      diagnostics.error(use->at,
                        "@secret applies to members, typedefs, parameters, operations, attributes and "
                        "interfaces; mark these instead");
}

}  // namespace takt::idl
