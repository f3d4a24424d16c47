#include "sema/repository_ids.h"

namespace takt::idl {

namespace {

// The names of the scopes inside `below` and of the declaration, or all of them.
std::string path(const Declaration& declaration, const Declaration* below = nullptr) {
  const Declaration* const scope = declaration.scope;
  const std::string outer = scope && scope->scope && scope != below ? path(*scope, below) + "/" : "";
  return outer + declaration.name;
}

std::string prefixed(const std::string& prefix, const std::string& path) {
  return "IDL:" + (prefix.empty() ? "" : prefix + "/") + path + ":";
}

}  // namespace

void RepositoryIds::enter(Declaration& scope) {
  const auto given = scope_prefixes_.find(scope.scoped_name());
  scopes_.push_back(
      {&scope, given == scope_prefixes_.end() ? std::nullopt : std::optional(given->second), {}});
}

RepositoryIds::Prefix RepositoryIds::prefix_in(std::uint32_t file) const {
  for (auto open = scopes_.rbegin(); open != scopes_.rend(); ++open) {
    if (const auto own = open->of_files.find(file); own != open->of_files.end())
      return {own->second, prefixes_whole_names_ ? nullptr : open->scope};
    if (open->given) return {*open->given, nullptr};
    if (open->scope->scope && open->scope->at.file != file) break;  // the file is included inside the scope
  }
  return {};
}

void RepositoryIds::assign(Declaration& declaration) {
  const Prefix prefix = prefix_in(declaration.at.file);
  declaration.repository_id = prefixed(prefix.text, path(declaration, prefix.scope)) + "1.0";
}

void RepositoryIds::define(const Declaration& forward, Declaration& definition) {
  definition.repository_id = forward.repository_id;
  if (const auto fixed = fixed_.find(&forward); fixed != fixed_.end()) fixed_[&definition] = fixed->second;
}

void RepositoryIds::set_prefix(std::string prefix, std::uint32_t file) {
  scopes_.back().of_files[file] = std::move(prefix);
}

// typeprefix comes after the scope's id was made, so it changes that id and the ids of later declarations in
// the scope. Versions stay.
void RepositoryIds::set_prefix_of(Declaration& scope, std::string prefix) {
  if (!scope.scope) {
    scopes_.front().of_files[scope.at.file] = std::move(prefix);
    return;
  }
  for (Open& open : scopes_)
    if (open.scope == &scope) open = {&scope, prefix, {}};
  scope_prefixes_[scope.scoped_name()] = prefix;
  for (Declaration* inner : scope.contents) {
    const auto fixed = fixed_.find(inner);
    if (std::string& id = inner->repository_id; fixed == fixed_.end() || fixed->second != Fixed::id)
      id = prefixed(prefix, path(*inner)) + id.substr(id.rfind(':') + 1);
    if (!inner->contents.empty()) set_prefix_of(*inner, prefix);
  }
}

bool RepositoryIds::is_other(const Declaration& declaration, const std::string& id, Location at) {
  if (!fixed_.contains(&declaration) || declaration.repository_id == id) return false;
  diagnostics_.error(
      at, "'" + declaration.name + "' already has another repository id, " + declaration.repository_id);
  return true;
}

void RepositoryIds::set_id(Declaration& declaration, std::string id, Location at) {
  if (is_other(declaration, id, at)) return;
  if (id.find(':') == std::string::npos) {
    diagnostics_.error(at, "a repository id must have the form FORMAT:TEXT, such as IDL:M/S:1.0");
    return;
  }
  declaration.repository_id = std::move(id);
  fixed_[&declaration] = Fixed::id;
}

void RepositoryIds::set_version(Declaration& declaration, std::string_view version, Location at) {
  const std::size_t colon = declaration.repository_id.rfind(':');
  const std::size_t dot = version.find('.');
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (dot == std::string_view::npos || !digits(version.substr(0, dot)) || !digits(version.substr(dot + 1))) {
    diagnostics_.error(at, "a version must have the form MAJOR.MINOR");
    return;
  }
  if (!declaration.repository_id.starts_with("IDL:")) {
    diagnostics_.error(at, "only ids of the IDL format have a version");
    return;
  }
  std::string id = declaration.repository_id.substr(0, colon + 1) + std::string(version);
  if (is_other(declaration, id, at)) return;
  declaration.repository_id = std::move(id);
  fixed_.try_emplace(&declaration, Fixed::version);
}

}  // namespace takt::idl
