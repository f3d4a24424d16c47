#include "cpp/time_base.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

namespace takt::idl::cpp {

namespace {

constexpr std::string_view types[] = {"::TimeBase::InaccuracyT", "::TimeBase::IntervalT", "::TimeBase::TdfT",
                                      "::TimeBase::TimeT", "::TimeBase::UtcT"};

// The type or module that the declaration is, or is a member of.
const Declaration& outer(const Declaration& declaration) {
  const Declaration* at = &declaration;
  while (at->scope && at->scope->scope && at->scope->kind != DeclarationKind::module_) at = at->scope;
  return *at;
}

}  // namespace

bool is_runtimes_time(const Unit& unit, const Declaration& declaration) {
  const std::string name = outer(declaration).scoped_name();
  return std::ranges::find(types, name) != std::end(types) &&
         std::filesystem::path(unit.files[declaration.at.file].name).filename() == "TimeBase.idl";
}

bool is_time_file(const Unit& unit, std::size_t file) {
  bool any = false;
  for (const Declaration& declaration : unit.declarations) {
    if (declaration.at.file != file || declaration.kind == DeclarationKind::module_) continue;
    if (!is_runtimes_time(unit, declaration)) return false;
    any = true;
  }
  return any;
}

bool declares_time(const Unit& unit) {
  return std::ranges::any_of(unit.declarations, [&](const Declaration& declaration) {
    return declaration.in_main_file && is_runtimes_time(unit, declaration);
  });
}

}  // namespace takt::idl::cpp
