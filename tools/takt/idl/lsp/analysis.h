// An IDL file as the compiler sees it, with its declarations and where their names are used.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "idl/lsp/text.h"
#include "model/diagnostics.h"
#include "model/model.h"
#include "syntax/preprocessor.h"

namespace takt::command::lsp {

// A name in the file: its declaration, or a use.
struct Occurrence {
  const idl::Declaration* declaration;  // the one that the name stands for
  std::size_t line, octet, length;      // from 0
  bool declares = false;
};

class Analysis {
 public:
  // `text` may differ from what is stored under `path`; then it is put into a temporary file in `folder`.
  // Starts a process for the preprocessor, so it must be called while the process has only one thread.
  Analysis(const std::filesystem::path& path, std::string text,
           const std::vector<std::string>& include_folders, const std::filesystem::path& folder);

  const Text& text() const { return text_; }
  const idl::Unit& unit() const { return unit_; }
  const std::vector<idl::Diagnostics::Entry>& diagnostics() const { return diagnostics_.entries(); }
  // Why the preprocessor failed; empty if it did not.
  const std::string& failure() const { return failure_; }
  bool has_errors() const;

  // The file of the location; this document's own path for the main file.
  std::filesystem::path path_of(const idl::Location& at) const;
  bool in_main_file(const idl::Location& at) const;
  // Whether the file is this one, or one that it includes.
  bool sees(const std::filesystem::path& file) const;

  // The names of declarations in this document, without those in included files, by their places.
  std::vector<Occurrence> occurrences() const;
  std::optional<Occurrence> at(Position position) const;
  // The scope around a position in a text, which may be newer, by the braces before it; the innermost scope
  // that is known.
  const idl::Declaration& scope_at(const Text& present, Position position) const;

 private:
  std::optional<Occurrence> occurrence(const idl::Declaration& declaration, const idl::Location& at) const;

  const std::filesystem::path path_;
  idl::PreprocessorOptions options_;
  const Text text_;
  std::string preprocessed_, failure_;
  idl::Unit unit_;
  idl::Diagnostics diagnostics_;
};

}  // namespace takt::command::lsp
