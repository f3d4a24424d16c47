#include "sema/secrets.h"

#include <algorithm>
#include <set>
#include <vector>

namespace takt::idl {

namespace {

using K = DeclarationKind;

constexpr const char* secret = "secret";

bool is_value(const Declaration& declaration) {
  return declaration.kind == K::value || declaration.kind == K::event;
}

// Directly, by its bases, or by bases of an interface that it supports.
bool supports(const Declaration& value, const Declaration& interface) {
  const auto is_that = [&](const Declaration* one) {
    return &defined(*one) == &interface || defined(*one).derives_from(interface);
  };
  std::set<const Declaration*> seen{&value};
  std::vector<const Declaration*> next{&value};
  while (!next.empty()) {
    const Declaration& one = *next.back();
    next.pop_back();
    if (std::ranges::any_of(one.supports, is_that)) return true;
    for (const Declaration* base : one.bases)
      if (seen.insert(&defined(*base)).second) next.push_back(&defined(*base));
  }
  return false;
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
    if (type->kind == TypeKind::value_base)
      return seen.insert(nullptr).second && in_values([](const Declaration&) { return true; }, seen);
    if (type->kind == TypeKind::named) return in_definition(defined(*type->declaration), seen);
  }
  return false;
}

template <class Wanted>
bool Secrets::in_values(Wanted wanted, Seen& seen) const {
  return std::ranges::any_of(unit_.declarations, [&](const Declaration& one) {
    return (is_value(one) || one.kind == K::value_box) && wanted(one) && in_definition(one, seen);
  });
}

bool Secrets::in_own_values() const {
  if (unit_.own_annotations.contains(secret)) return false;
  Seen seen;
  return in_values([](const Declaration& one) { return one.in_main_file; }, seen);
}

bool Secrets::in_definition(const Declaration& declaration, Seen& seen) const {
  if (!seen.insert(&declaration).second) return false;
  if (declaration.kind == K::interface_)
    return declaration.is_abstract &&
           in_values([&](const Declaration& one) { return supports(one, declaration); }, seen);
  if (declaration.kind == K::typedef_ && declaration.find_annotation(secret)) return true;
  if (in_type(declaration.type, seen) || in_all(declaration.bases, seen)) return true;
  for (const Declaration* member : declaration.contents)
    if (member->kind == K::member && (member->find_annotation(secret) || in_type(member->type, seen)))
      return true;
  return is_value(declaration) &&
         in_values([&](const Declaration& other) { return other.derives_from(declaration); }, seen);
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
