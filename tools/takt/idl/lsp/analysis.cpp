#include "idl/lsp/analysis.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "common/files.h"
#include "sema/defaults.h"
#include "sema/interpreted.h"
#include "sema/schedule.h"
#include "sema/views.h"
#include "syntax/parser.h"

namespace takt::command::lsp {
namespace {

using idl::Declaration;
using idl::Location;

constexpr std::array<std::string_view, 10> scope_words = {"module",    "interface", "struct",    "union",
                                                          "exception", "valuetype", "eventtype", "enum",
                                                          "component", "home"};

// Splits IDL into words and braces; comments and literals are left out.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  // Empty at the end.
  std::string_view next() {
    for (skip(); at_ < text_.size(); skip()) {
      const std::size_t begin = at_;
      if (text_[at_] == '"' || text_[at_] == '\'') {
        const char quote = text_[at_++];
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n')
          at_ += text_[at_] == '\\' ? 2 : 1;
        at_ = std::min(at_ + 1, text_.size());
        continue;
      }
      while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
      if (at_ == begin) ++at_;
      return text_.substr(begin, at_ - begin);
    }
    return {};
  }

 private:
  void skip() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      const bool is_line = rest.starts_with("//"), is_block = rest.starts_with("/*");
      if (is_line || is_block) {
        const auto end = is_line ? rest.find('\n') : rest.find("*/", 2);
        at_ = end == rest.npos ? text_.size() : at_ + end + (is_line ? 1 : 2);
      } else if (rest.front() == ' ' || rest.front() == '\t' || rest.front() == '\n' ||
                 rest.front() == '\r') {
        ++at_;
      } else {
        return;
      }
    }
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

std::filesystem::path real(const std::filesystem::path& path) {
  std::error_code error;
  auto made = std::filesystem::weakly_canonical(path, error);
  return error ? path : made;
}

}  // namespace

Analysis::Analysis(const std::filesystem::path& path, std::string text,
                   const std::vector<std::string>& include_folders, const std::filesystem::path& folder)
    : path_(real(path)), text_(std::move(text)) {
  options_.include_folders = include_folders;
  options_.include_folders.insert(options_.include_folders.begin(), path_.parent_path());
  std::filesystem::path file = path_;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error) || read_file(path_) != text_.octets()) {
    file = folder / path_.filename();
    if (!write_file(file, text_.octets())) {
      failure_ = file.string() + ": cannot be written";
      return;
    }
  }
  unit_.files.push_back({file, true});
  unit_.keeps_uses = true;
  auto preprocessed = idl::preprocess(file, options_);
  if (file != path_) std::filesystem::remove(file);
  if (!preprocessed) {
    failure_ = std::move(preprocessed.error());
    return;
  }
  preprocessed_ = std::move(*preprocessed);
  idl::Parser(preprocessed_, unit_, diagnostics_).parse();
  idl::scheduled_operations(unit_, diagnostics_);
  idl::check_views(unit_, diagnostics_);
  idl::check_defaults(unit_, diagnostics_);
  idl::check_interpreted(unit_, diagnostics_);
}

bool Analysis::in_main_file(const Location& at) const {
  return at.file < unit_.files.size() && unit_.files[at.file].is_main;
}

bool Analysis::has_errors() const { return !failure_.empty() || diagnostics_.failed(); }

std::filesystem::path Analysis::path_of(const Location& at) const {
  if (in_main_file(at) || at.file >= unit_.files.size()) return path_;
  return real(unit_.files[at.file].name);
}

bool Analysis::sees(const std::filesystem::path& file) const {
  for (std::uint32_t i = 0; i < unit_.files.size(); ++i)
    if (path_of({i, 1, 1}) == file) return true;
  return false;
}

// A name that a macro or an escape has changed is not at its place in the text.
std::optional<Occurrence> Analysis::occurrence(const Declaration& declaration, const Location& at) const {
  std::size_t length = 0;
  if (!in_main_file(at) || at.line == 0 || at.column == 0 ||
      !text_.has_name(at.line - 1, at.column - 1, declaration.name, length))
    return std::nullopt;
  return Occurrence{&idl::defined(declaration), at.line - 1, at.column - 1, length};
}

std::vector<Occurrence> Analysis::occurrences() const {
  std::vector<Occurrence> all;
  for (const Declaration& declaration : unit_.declarations)
    if (auto found = occurrence(declaration, declaration.at)) {
      found->declares = true;
      all.push_back(*found);
    }
  for (const auto& [at, declaration] : unit_.uses)
    if (const auto found = occurrence(*declaration, at)) all.push_back(*found);
  const auto place = [](const Occurrence& each) { return std::pair(each.line, each.octet); };
  std::ranges::stable_sort(all, {}, place);
  const auto [first, last] = std::ranges::unique(all, {}, place);
  all.erase(first, last);
  return all;
}

std::optional<Occurrence> Analysis::at(Position position) const {
  const std::size_t octet = text_.column(position);
  for (const Occurrence& each : occurrences())
    if (each.line == position.line && each.octet <= octet && octet <= each.octet + each.length) return each;
  return std::nullopt;
}

const Declaration& Analysis::scope_at(const Text& present, Position position) const {
  std::vector<std::string_view> open;  // names of scopes; empty for other braces
  std::string_view name;
  bool names_scope = false;
  Words words(std::string_view(present.octets()).substr(0, present.offset(position)));
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "{") {
      open.push_back(std::exchange(name, {}));
    } else if (word == "}") {
      if (!open.empty()) open.pop_back();
    } else if (word == ";") {
      name = {};
    } else if (std::exchange(names_scope, false)) {
      name = word.starts_with('_') ? word.substr(1) : word;
    }
    names_scope = std::ranges::find(scope_words, word) != scope_words.end();
  }
  const Declaration* scope = &unit_.root;
  for (const std::string_view each : open) {
    const Declaration* inner = nullptr;
    for (const Declaration* one : scope->contents)
      if (one->name == each && one->kind != idl::DeclarationKind::forward_) inner = one;
    if (!inner) return *scope;
    scope = inner;
  }
  return *scope;
}

}  // namespace takt::command::lsp
