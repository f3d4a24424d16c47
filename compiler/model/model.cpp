#include "model/model.h"

#include <algorithm>
#include <unordered_set>

namespace takt::idl {

const Type& Type::resolved() const {
  const Type* type = this;
  while (type->kind == TypeKind::named && type->declaration->kind == DeclarationKind::typedef_)
    type = type->declaration->type;
  return *type;
}

std::string Declaration::scoped_name() const {
  return scope && scope->scope ? scope->scoped_name() + "::" + name : "::" + name;
}

const Declaration& defined(const Declaration& declaration) {
  return declaration.definition ? *declaration.definition : declaration;
}

const AnnotationUse* find_annotation(const std::vector<AnnotationUse>& annotations, std::string_view name) {
  const auto found = std::ranges::find(annotations, name, &AnnotationUse::name);
  return found == annotations.end() ? nullptr : &*found;
}

bool is_set(const AnnotationUse* use) {
  if (!use) return false;
  const bool* const value =
      use->arguments.empty() ? nullptr : std::get_if<bool>(&use->arguments[0].second.is);
  return !value || *value;
}

const AnnotationUse* Declaration::find_annotation(std::string_view annotation) const {
  return idl::find_annotation(annotations, annotation);
}

bool Declaration::derives_from(const Declaration& other) const {
  // Visits each base once; a lattice of diamonds would take exponential time without that.
  std::unordered_set<const Declaration*> seen;
  std::vector<const Declaration*> next{this};
  while (!next.empty()) {
    const Declaration* const one = next.back();
    next.pop_back();
    for (const Declaration* base : one->bases) {
      if (base == &other) return true;
      if (seen.insert(base).second) next.push_back(base);
    }
  }
  return false;
}

namespace {

void collect(const Declaration& interface, bool with_state, std::vector<Declaration*>& found,
             std::unordered_set<const Declaration*>& seen) {
  if (!seen.insert(&interface).second) return;
  for (const Declaration* base : interface.bases) collect(*base, with_state, found, seen);
  for (const Declaration* supported : interface.supports) collect(*supported, with_state, found, seen);
  for (Declaration* member : interface.contents)
    if (member->kind == DeclarationKind::operation || member->kind == DeclarationKind::attribute ||
        (with_state && member->kind == DeclarationKind::member))
      found.push_back(member);
}

}  // namespace

std::vector<Declaration*> Unit::all_operations(const Declaration& interface) const {
  std::vector<Declaration*> found;
  std::unordered_set<const Declaration*> seen;
  collect(interface, false, found, seen);
  return found;
}

std::vector<Declaration*> Unit::all_features(const Declaration& interface) const {
  std::vector<Declaration*> found;
  std::unordered_set<const Declaration*> seen;
  collect(interface, true, found, seen);
  return found;
}

}  // namespace takt::idl
