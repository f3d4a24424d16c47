#include "cpp/helper_names.h"

#include <unordered_map>

namespace takt::idl::cpp {

namespace {

using Kind = DeclarationKind;
using Named = std::unordered_map<std::string, const Declaration*>;

bool has_scope(const Declaration& declaration) {
  return declaration.kind == Kind::module_ || declaration.kind == Kind::interface_ ||
         declaration.kind == Kind::value || declaration.kind == Kind::event;
}

void collect(const Declaration& scope, Named& named) {
  for (const Declaration* one : scope.contents) {
    named.try_emplace(one->scoped_name(), one);
    if (has_scope(*one)) collect(*one, named);
  }
}

std::string place_of(const Unit& unit, const Declaration& declaration) {
  return "'" + declaration.scoped_name() + "' (" + unit.files[declaration.at.file].name + ":" +
         std::to_string(declaration.at.line) + ")";
}

// The declaration that has the helper's name; or the name of a namespace that is made for the helper, unless
// it is a module, which has that namespace too. Null if there is none.
const Declaration* taking(const std::string& helper, const Declaration& of, const Named& named) {
  if (const auto found = named.find(helper); found != named.end()) return found->second;
  const std::string around = of.scope ? of.scope->scoped_name() + "::" : std::string();
  for (std::size_t end = helper.rfind("::"); end != 0; end = helper.rfind("::", end - 1)) {
    const std::string outer = helper.substr(0, end);
    if (around.starts_with(outer + "::")) break;
    const auto found = named.find(outer);
    if (found != named.end() && found->second->kind != Kind::module_) return found->second;
  }
  return nullptr;
}

}  // namespace

std::string name_inside(const Declaration& declaration, const char* inner) {
  const std::string name = declaration.scoped_name();
  const std::size_t colons = name.rfind("::");
  return name.substr(0, colons) + "::" + inner + name.substr(colons);
}

std::string taken_helper_name(const Unit& unit,
                              std::vector<std::string> (*helpers_of)(const Declaration& declaration)) {
  Named named;
  collect(unit.root, named);
  for (const auto& declaration : unit.declarations) {
    if (!declaration.in_main_file) continue;
    for (const std::string& helper : helpers_of(declaration))
      if (const Declaration* taken = taking(helper, declaration, named))
        return place_of(unit, *taken) + " has the name that generated code has for a helper of " +
               place_of(unit, declaration) + "; rename one of them";
  }
  return {};
}

std::vector<std::string> skeletons_of(const Declaration& declaration) {
  const bool is_served =
      declaration.kind == Kind::interface_ && !declaration.is_local && !declaration.is_abstract;
  return is_served ? std::vector{name_inside(declaration, "POA")} : std::vector<std::string>();
}

std::vector<std::string> helpers_of(const Declaration& declaration) {
  const bool is_value = declaration.kind == Kind::value || declaration.kind == Kind::event;
  if (!is_value || declaration.is_abstract) return {};
  return {declaration.scoped_name() + "_init", name_inside(declaration, "obv")};
}

}  // namespace takt::idl::cpp
