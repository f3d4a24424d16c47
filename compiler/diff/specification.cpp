#include "diff/specification.h"

#include <utility>

#include "syntax/parser.h"
#include "syntax/reading.h"

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;

// Whether the declaration has a scoped name of its own that other declarations use.
bool is_indexed(K kind) {
  switch (kind) {
    case K::operation:
    case K::attribute:
    case K::member:
    case K::enumerator:
    case K::initializer:
    case K::type_parameter:
    case K::template_module:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::expected<Specification, std::string> Specification::read(const std::vector<std::string>& files,
                                                              const PreprocessorOptions& options,
                                                              const Shown& shown) {
  Specification whole;
  for (const std::string& file : files) {
    auto unit = read_unit(file, options);
    if (!unit) return std::unexpected(std::move(unit.error()));
    whole.take(std::move(*unit), shown);
  }
  return whole;
}

Specification Specification::parsed(std::string_view text, const std::string& name) {
  Specification whole;
  auto unit = std::make_unique<Unit>();
  unit->files.push_back({name, true});
  Diagnostics diagnostics;
  Parser(text, *unit, diagnostics).parse();
  whole.take(std::move(unit), {});
  return whole;
}

// Changes the file numbers in locations to indices in files_.
void Specification::take(std::unique_ptr<Unit> unit, const Shown& shown) {
  const auto first = static_cast<std::uint32_t>(files_.size());
  for (const File& file : unit->files) files_.push_back(shown ? shown(file.name) : file.name);
  for (Declaration& declaration : unit->declarations) {
    declaration.at.file += first;
    for (auto& parameter : declaration.parameters) parameter.at.file += first;
  }
  index(unit->root);
  units_.push_back(std::move(unit));
}

void Specification::index(const Declaration& scope) {
  for (const Declaration* one : scope.contents) {
    if (!is_indexed(one->kind)) continue;
    const std::string name = one->scoped_name();
    const auto [found, added] = by_name_.try_emplace(name, declarations_.size());
    if (added)
      declarations_.push_back(one);
    else if (declarations_[found->second]->kind == K::forward_ && one->kind != K::forward_)
      declarations_[found->second] = one;
    if (one->kind == K::module_) modules_[name].push_back(one);
    index(*one);
  }
}

const Declaration* Specification::find(std::string_view scoped_name) const {
  const auto found = by_name_.find(scoped_name);
  return found == by_name_.end() ? nullptr : declarations_[found->second];
}

std::vector<const Declaration*> Specification::contents(const Declaration& module) const {
  std::vector<const Declaration*> all;
  const auto found = modules_.find(module.scoped_name());
  if (found == modules_.end()) return all;
  for (const Declaration* opening : found->second)
    all.insert(all.end(), opening->contents.begin(), opening->contents.end());
  return all;
}

std::vector<const Declaration*> Specification::operations(const Declaration& interface) {
  const auto all = Unit().all_operations(interface);
  return {all.begin(), all.end()};
}

Place Specification::place(Location at) const {
  if (at.line == 0 || at.file >= files_.size()) return {};
  return {files_[at.file], at.line, at.column};
}

}  // namespace takt::idl::diff
