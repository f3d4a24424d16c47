#include "idl/lsp/workspace.h"

#include <cstdlib>
#include <set>
#include <utility>

#include "common/command.h"
#include "common/files.h"

namespace takt::command::lsp {
namespace {

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

Workspace::Workspace(std::vector<std::string> include_folders)
    : include_folders_(std::move(include_folders)) {
  std::string name = (std::filesystem::temp_directory_path() / "takt-lsp-XXXXXX").string();
  if (!::mkdtemp(name.data())) fail(name + ": cannot be created");
  temporary_ = name;
}

Workspace::~Workspace() {
  std::error_code ignored;
  std::filesystem::remove_all(temporary_, ignored);
}

std::unique_ptr<Analysis> Workspace::analysed(const std::filesystem::path& path, std::string text) const {
  return std::make_unique<Analysis>(path, std::move(text), include_folders_, temporary_);
}

Document& Workspace::change(const std::filesystem::path& path, std::string text) {
  Document& document = documents_[path];
  if (document.analysis && !document.analysis->has_errors())
    document.last_good = std::move(document.analysis);
  document.analysis = analysed(path, std::move(text));
  return document;
}

Document* Workspace::find(const std::filesystem::path& path) {
  const auto found = documents_.find(path);
  return found == documents_.end() ? nullptr : &found->second;
}

Text Workspace::text_of(const std::filesystem::path& path) const {
  if (const auto open = documents_.find(path); open != documents_.end()) return open->second.text();
  std::error_code error;
  return Text(std::filesystem::is_regular_file(path, error) ? read_file(path).value_or("") : "");
}

std::vector<std::filesystem::path> Workspace::analyse_again(const std::filesystem::path& except) {
  std::vector<std::filesystem::path> again;
  for (auto& [path, document] : documents_) {
    if (path == except || !document.analysis->sees(except)) continue;
    document.analysis = analysed(path, document.text().octets());
    again.push_back(path);
  }
  return again;
}

std::vector<std::filesystem::path> Workspace::idl_files() const {
  std::set<std::filesystem::path> files;
  for (const auto& [path, document] : documents_) files.insert(path);
  for (const auto& folder : folders_) {
    std::error_code error;
    std::filesystem::recursive_directory_iterator at(
        folder, std::filesystem::directory_options::skip_permission_denied, error);
    for (; !error && at != std::filesystem::recursive_directory_iterator() && files.size() < most_files;
         at.increment(error)) {
      if (at->is_directory(error) && at->path().filename().string().starts_with('.'))
        at.disable_recursion_pending();
      if (at->path().extension() == ".idl" && at->is_regular_file(error))
        files.insert(std::filesystem::weakly_canonical(at->path()));
    }
  }
  return {files.begin(), files.end()};
}

bool Workspace::has(const std::filesystem::path& path) const {
  if (documents_.contains(path)) return true;
  for (const auto& folder : folders_)
    if (is_below(path, folder)) return true;
  return false;
}

std::vector<FileUses> Workspace::uses_of(const idl::Declaration& declaration,
                                         const std::filesystem::path& declared_in) const {
  const std::string name = declaration.scoped_name();
  std::vector<FileUses> all;
  for (const auto& path : idl_files()) {
    auto analysis = analysed(path, text_of(path).octets());
    if (!analysis->sees(declared_in)) continue;
    auto uses = analysis->occurrences();
    std::erase_if(uses, [&](const Occurrence& each) { return each.declaration->scoped_name() != name; });
    if (!uses.empty()) all.push_back({path, std::move(analysis), std::move(uses)});
  }
  return all;
}

}  // namespace takt::command::lsp
