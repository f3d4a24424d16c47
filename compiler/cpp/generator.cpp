#include "cpp/generator.h"

#include <algorithm>
#include <filesystem>

#include "cpp/client.h"
#include "cpp/context.h"
#include "cpp/helper_names.h"
#include "cpp/hidden_namespaces.h"
#include "cpp/orb_idl.h"
#include "cpp/schedule.h"
#include "cpp/server.h"

namespace takt::idl::cpp {

namespace {

const std::string& main_file(const Unit& unit) {
  static const std::string none;
  for (const File& file : unit.files)
    if (file.is_main) return file.name;
  return unit.files.empty() ? none : unit.files.front().name;
}

}  // namespace

std::string generated_name(const std::string& idl_file, const std::string& suffix) {
  return std::filesystem::path(idl_file).stem().string() + suffix;
}

std::string generated_name(const std::string& idl_file, const std::string& suffix, const Options& options) {
  const std::string name = generated_name(idl_file, suffix);
  if (!options.keep_folders) return name;
  namespace fs = std::filesystem;
  const auto inside = [](const fs::path& path) { return !path.empty() && *path.begin() != ".."; };
  std::error_code error;
  const fs::path file = fs::weakly_canonical(fs::absolute(idl_file, error), error);
  fs::path best = fs::path(idl_file).is_relative() ? fs::path(idl_file).lexically_normal() : file.filename();
  if (!inside(best)) best = file.filename();
  std::size_t longest = 0;
  for (const std::string& included : options.include_folders) {
    const fs::path folder = fs::weakly_canonical(fs::absolute(included, error), error);
    const fs::path below = file.lexically_relative(folder);
    if (!inside(below) || folder.native().size() <= longest) continue;
    longest = folder.native().size();
    best = below;
  }
  return (best.parent_path() / name).generic_string();
}

std::vector<GeneratedFile> files_of_library(const std::string& idl_file, const Options& options,
                                            const std::string& client_header,
                                            const std::string& server_header) {
  const std::string origin = "// Made by takt-idl from " +
                             std::filesystem::path(idl_file).filename().string() +
                             ", whose declarations a library has; changes will be lost.\n";
  const auto name = [&](const std::string& suffix) { return generated_name(idl_file, suffix, options); };
  const auto including_own = [&](const std::string& header) {
    return "#include \"" + std::filesystem::path(name(header)).filename().string() + "\"\n";
  };
  std::vector<GeneratedFile> files{
      {name(options.client_header), origin + "#pragma once\n\n#include <" + client_header + ">\n"},
      {name(options.client_source), origin + including_own(options.client_header)}};
  if (options.server) {
    const std::string more =
        server_header == client_header ? std::string() : "#include <" + server_header + ">\n";
    files.push_back({name(options.server_header),
                     origin + "#pragma once\n\n" + including_own(options.client_header) + more});
    files.push_back({name(options.server_source), origin + including_own(options.server_header)});
  }
  return files;
}

std::expected<std::vector<GeneratedFile>, std::string> generate(const Unit& unit, const Options& options) {
  if (describes_orb(unit) && !options.own_types)
    return files_of_library(main_file(unit), options, "takt/corba.h", "takt/corba.h");
  if (auto missing = missing_orb_type(unit)) return std::unexpected(std::move(*missing));
  std::string taken = taken_helper_name(unit, helpers_of);
  if (taken.empty() && options.server) taken = taken_helper_name(unit, skeletons_of);
  if (taken.empty()) taken = type_named_like_a_namespace(unit);
  if (!taken.empty()) return std::unexpected(std::move(taken));
  Context context(unit, options);
  context.idl_path = main_file(unit);
  context.idl_file = std::filesystem::path(context.idl_path).filename().string();
  std::vector<GeneratedFile> files;
  const bool rooted = hides_namespaces(unit);
  context.names.always_in_full(rooted);
  const auto add = [&](const std::string& suffix, std::string text) {
    if (rooted) text = with_rooted_namespaces(text);
    files.push_back({own_name(context, suffix), std::move(text)});
  };
  add(options.client_header, client_header(context));
  add(options.client_source, client_source(context));
  if (options.server) {
    context.names.in_skeletons(true);
    add(options.server_header, server_header(context));
    auto source = server_source(context);
    if (!source) return std::unexpected(source.error());
    add(options.server_source, std::move(*source));
  }
  if (!options.schedule.empty()) add("_schedule.h", schedule_header(context));
  return files;
}

}  // namespace takt::idl::cpp
