#include "syntax/reading.h"

#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "model/diagnostics.h"
#include "syntax/parser.h"

namespace takt::idl {

std::expected<std::unique_ptr<Unit>, std::string> read_unit(const std::string& file,
                                                            const PreprocessorOptions& options) {
  auto text = preprocess(file, options);
  if (!text) return std::unexpected(std::move(text.error()));
  auto unit = std::make_unique<Unit>();
  unit->files.push_back({file, true});
  Diagnostics diagnostics;
  Parser(*text, *unit, diagnostics).parse();
  if (!diagnostics.failed()) return unit;
  std::ostringstream said;
  diagnostics.print(said, unit->files);
  return std::unexpected(said.str());
}

std::string path_of_included(const std::string& included, const std::string& by,
                             const PreprocessorOptions& options) {
  namespace fs = std::filesystem;
  if (fs::path(included).is_absolute() || included == by) return included;
  std::vector<std::string> folders{fs::path(by).parent_path().string()};
  folders.insert(folders.end(), options.include_folders.begin(), options.include_folders.end());
  for (const std::string& folder : folders) {
    std::error_code error;
    const fs::path path = (fs::path(folder) / included).lexically_normal();
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return included;
}

}  // namespace takt::idl
