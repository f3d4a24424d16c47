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
      if (const auto found = named.find(helper); found != named.end())
        return place_of(unit, *found->second) + " has the name that generated code has for a helper of " +
               place_of(unit, declaration) + "; rename one of them";
  }
  return {};
}

std::vector<std::string> helpers_of(const Declaration& declaration) {
  const bool is_value = declaration.kind == Kind::value || declaration.kind == Kind::event;
  if (!is_value || declaration.is_abstract) return {};
  return {declaration.scoped_name() + "_init", name_inside(declaration, "obv")};
}

}  // namespace takt::idl::cpp
