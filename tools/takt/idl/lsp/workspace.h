// The open documents, and the IDL files of the editor's folders.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "idl/lsp/analysis.h"

namespace takt::command::lsp {

struct Document {
  std::unique_ptr<Analysis> analysis;  // made from the present text
  // The last analysis that found no errors, for completions while a statement is being typed; may be null.
  std::unique_ptr<Analysis> last_good;

  const Text& text() const { return analysis->text(); }
};

// Where names of one declaration are, in one file.
struct FileUses {
  std::filesystem::path path;
  std::unique_ptr<Analysis> analysis;
  std::vector<Occurrence> uses;
};

class Workspace {
 public:
  static constexpr std::size_t most_files = 5000;

  explicit Workspace(std::vector<std::string> include_folders);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  void add_folder(const std::filesystem::path& folder) { folders_.push_back(folder); }
  void add_include_folder(const std::string& folder) { include_folders_.push_back(folder); }

  Document& change(const std::filesystem::path& path, std::string text);
  void close(const std::filesystem::path& path) { documents_.erase(path); }
  Document* find(const std::filesystem::path& path);
  // A document's text, or that of the file; empty if there is neither.
  Text text_of(const std::filesystem::path& path) const;
  // Those that include a file, in the order of their paths; each is analysed anew.
  std::vector<std::filesystem::path> analyse_again(const std::filesystem::path& except);

  // In all files that see the file of the declaration: open ones, and those in the workspace's folders.
  std::vector<FileUses> uses_of(const idl::Declaration& declaration,
                                const std::filesystem::path& declared_in) const;
  // Whether the file is open or in the workspace's folders.
  bool has(const std::filesystem::path& path) const;

 private:
  std::unique_ptr<Analysis> analysed(const std::filesystem::path& path, std::string text) const;
  std::vector<std::filesystem::path> idl_files() const;

  std::vector<std::string> include_folders_;
  std::vector<std::filesystem::path> folders_;
  std::filesystem::path temporary_;
  std::map<std::filesystem::path, Document> documents_;
};

}  // namespace takt::command::lsp
