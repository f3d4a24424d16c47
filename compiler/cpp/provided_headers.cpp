#include "cpp/provided_headers.h"

#include <algorithm>
#include <filesystem>

namespace takt::idl::cpp {

namespace {

const Declaration& outermost(const Declaration& declaration) {
  const Declaration* at = &declaration;
  while (at->scope && at->scope->scope) at = at->scope;
  return *at;
}

bool is_all_in(const std::string& module, const Unit& unit, std::size_t file) {
  bool any = false;
  for (const Declaration& declaration : unit.declarations) {
    if (declaration.at.file != file) continue;
    const Declaration& outer = outermost(declaration);
    if (outer.kind != DeclarationKind::module_ || outer.name != module) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::optional<ProvidedHeader> provided_header(const std::string& text) {
  const std::size_t slash = text.find('/'), equals = text.find('=');
  if (slash == 0 || equals == std::string::npos || slash + 1 >= equals || equals + 1 == text.size())
    return std::nullopt;
  ProvidedHeader header{text.substr(0, slash), text.substr(slash + 1, equals - slash - 1), {}, {}};
  const std::size_t comma = text.find(',', equals);
  header.client = text.substr(equals + 1, comma == std::string::npos ? comma : comma - equals - 1);
  header.server = comma == std::string::npos ? header.client : text.substr(comma + 1);
  if (header.client.empty() || header.server.empty()) return std::nullopt;
  return header;
}

const ProvidedHeader* provided_header(const Unit& unit, std::size_t file,
                                      const std::vector<ProvidedHeader>& all) {
  const std::string name = std::filesystem::path(unit.files[file].name).filename().string();
  const auto found = std::ranges::find_if(
      all, [&](const ProvidedHeader& one) { return one.file == name && is_all_in(one.module, unit, file); });
  return found == all.end() ? nullptr : &*found;
}

const ProvidedHeader* provided_header_of_main_file(const Unit& unit, const std::vector<ProvidedHeader>& all) {
  for (std::size_t file = 0; file < unit.files.size(); ++file)
    if (unit.files[file].is_main) return provided_header(unit, file, all);
  return nullptr;
}

}  // namespace takt::idl::cpp
