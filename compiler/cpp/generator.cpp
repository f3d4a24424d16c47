#include "cpp/generator.h"

#include <algorithm>
#include <filesystem>

#include "cpp/client.h"
#include "cpp/context.h"
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

std::expected<std::vector<GeneratedFile>, std::string> generate(const Unit& unit, const Options& options) {
  if (auto missing = missing_orb_type(unit)) return std::unexpected(std::move(*missing));
  Context context(unit, options);
  context.idl_file = std::filesystem::path(main_file(unit)).filename().string();
  std::vector<GeneratedFile> files;
  const bool rooted = hides_namespaces(unit);
  context.names.always_in_full(rooted);
  const auto add = [&](const std::string& suffix, std::string text) {
    if (rooted) text = with_rooted_namespaces(text);
    files.push_back({generated_name(context.idl_file, suffix), std::move(text)});
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
