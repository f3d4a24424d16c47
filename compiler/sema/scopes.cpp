#include "sema/scopes.h"

#include <algorithm>
#include <cctype>

namespace takt::idl {

std::string folded(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

const char* describe(DeclarationKind kind) {
  using K = DeclarationKind;
  switch (kind) {
    case K::module_:
      return "a module";
    case K::interface_:
      return "an interface";
    case K::forward_:
      return "a forward declaration";
    case K::value:
      return "a valuetype";
    case K::value_box:
      return "a boxed value";
    case K::struct_:
      return "a struct";
    case K::union_:
      return "a union";
    case K::enum_:
      return "an enum";
    case K::enumerator:
      return "an enumerator";
    case K::exception:
      return "an exception";
    case K::typedef_:
      return "a typedef";
    case K::constant:
      return "a constant";
    case K::native:
      return "a native type";
    case K::bitset:
      return "a bitset";
    case K::bitmask:
      return "a bitmask";
    case K::operation:
      return "an operation";
    case K::attribute:
      return "an attribute";
    case K::member:
      return "a member";
    case K::initializer:
      return "a factory";
    case K::component:
      return "a component";
    case K::home:
      return "a home";
    case K::event:
      return "an eventtype";
    case K::port_type:
      return "a porttype";
    case K::type_parameter:
      return "a template parameter";
    case K::template_module:
      return "a template module";
  }
  return "a declaration";
}

Declaration& Scopes::canonical(Declaration& scope) const {
  const auto found = canonical_.find(&scope);
  return found == canonical_.end() ? scope : *found->second;
}

void Scopes::use(const Declaration& scope, std::string_view name, const Declaration& found, Location at) {
  if (found.scope == &scope || &canonical(*found.scope) == &canonical(const_cast<Declaration&>(scope)))
    return;
  uses_[&scope].try_emplace(folded(name), Use{&found, at});
  // A type name that is used anywhere in an interface or valuetype is not redefined in it (7.5.3).
  for (const Declaration* outer = scope.scope; outer && outer->kind != DeclarationKind::module_;
       outer = outer->scope) {
    if (outer == found.scope) return;
    uses_[outer].try_emplace(folded(name), Use{&found, at, true});
  }
}

bool Scopes::clashes_with_use(const Declaration& scope, std::string_view name, Location at) {
  const auto used = uses_.find(&scope);
  if (used == uses_.end()) return false;
  const auto use = used->second.find(folded(name));
  if (use == used->second.end()) return false;
  if (use->second.nested && use->second.found->name != name) return false;
  diagnostics_.error(at, "'" + std::string(name) + "' cannot be declared after '" + use->second.found->name +
                             "' was used in this scope");
  const std::string full = use->second.found->scoped_name();
  diagnostics_.note(use->second.at,
                    "it is used here; the full name, " + full + ", would leave the short name free");
  return true;
}

bool Scopes::declare(Declaration& declaration) {
  if (clashes_with_use(*declaration.scope, declaration.name, declaration.at)) return false;
  Names& names = names_[&canonical(*declaration.scope)];
  const auto [found, added] = names.try_emplace(folded(declaration.name), &declaration);
  if (added) {
    // A member may not have the name of its scope (7.5.2).
    const Declaration& scope = *declaration.scope;
    if (scope.scope && folded(scope.name) == found->first && scope.kind != DeclarationKind::enum_) {
      std::string complaint = "'" + declaration.name + "' has the name of the scope it is in";
      // CORBA 2.2 and earlier versions did not have this rule. C++ has it for names that are equal in case.
      if (declaration.name != scope.name) {
        diagnostics_.outdated(declaration.at, std::move(complaint));
        diagnostics_.note(scope.at, "the scope is opened here");
        return true;
      }
      diagnostics_.error(declaration.at, std::move(complaint));
      diagnostics_.note(scope.at, "the scope is opened here");
      return false;
    }
    return true;
  }
  const Declaration& earlier = *found->second;
  if (earlier.name == declaration.name)
    diagnostics_.error(declaration.at, "'" + declaration.name + "' is already declared in this scope, as " +
                                           describe(earlier.kind));
  else
    diagnostics_.error(declaration.at, "'" + declaration.name + "' differs from '" + earlier.name +
                                           "' only in case, and conflicts with it");
  diagnostics_.note(earlier.at, "the earlier declaration is here");
  return false;
}

void Scopes::replace(Declaration& with) { names_[&canonical(*with.scope)][folded(with.name)] = &with; }

Declaration* Scopes::find_here(const Declaration& scope, std::string_view name) const {
  const auto names = names_.find(&canonical(const_cast<Declaration&>(scope)));
  if (names == names_.end()) return nullptr;
  const auto found = names->second.find(folded(name));
  return found == names->second.end() ? nullptr : found->second;
}

void Scopes::collect(const Declaration& scope, const std::string& name, std::vector<Declaration*>& found,
                     std::unordered_set<const Declaration*>& seen) const {
  if (!seen.insert(&scope).second) return;
  if (Declaration* here = find_here(scope, name)) {
    if (std::find(found.begin(), found.end(), here) == found.end()) found.push_back(here);
    return;
  }
  for (const auto* list : {&scope.bases, &scope.supports})
    for (const Declaration* base : *list) collect(*base, name, found, seen);
}

Declaration* Scopes::find_member(const Declaration& scope, std::string_view name, Location at) {
  std::vector<Declaration*> found;
  std::unordered_set<const Declaration*> seen;
  collect(scope, folded(name), found, seen);
  if (found.empty()) return nullptr;
  if (found.size() > 1) {
    diagnostics_.error(at, "'" + std::string(name) + "' is ambiguous: it is inherited from several bases");
    for (const Declaration* one : found) diagnostics_.note(one->at, "one is " + one->scoped_name());
  }
  return found.front();
}

Declaration* Scopes::find(const Declaration& scope, std::string_view name, Location at) {
  for (const Declaration* here = &scope; here; here = here->scope) {
    clashes_with_parameter(*here, name, at);
    if (Declaration* found = find_member(*here, name, at)) return found;
    const auto too = also_.find(here);
    if (too == also_.end()) continue;
    if (Declaration* found = find(*too->second, name, at)) return found;
  }
  return nullptr;
}

// An operation is a scope that contains the names of its parameters (7.5.2).
void Scopes::clashes_with_parameter(const Declaration& scope, std::string_view name, Location at) {
  const auto all = parameters_.find(&scope);
  if (all == parameters_.end()) return;
  const auto parameter = all->second.find(folded(name));
  if (parameter == all->second.end()) return;
  diagnostics_.error(at, "'" + std::string(name) + "' is used after the parameter '" +
                             parameter->second.name + "' was declared in this scope");
  diagnostics_.note(parameter->second.at, "the parameter is here");
}

void Scopes::declare_parameter(const Declaration& operation, const std::string& name, Location at) {
  const auto [other, added] = parameters_[&operation].try_emplace(folded(name), Parameter{name, at});
  if (added) return;
  diagnostics_.error(at, "'" + name + "' names two parameters");
  diagnostics_.note(other->second.at, "the other is here");
}

void Scopes::check_spelling(const Declaration& found, std::string_view name, Location at) {
  if (found.name == name) return;
  diagnostics_.error(at, "'" + std::string(name) + "' is spelled '" + found.name + "' where it is declared");
  diagnostics_.note(found.at, "the declaration is here");
}

}  // namespace takt::idl
