#include "sema/repository_ids.h"

namespace takt::idl {

std::string RepositoryIds::path(const Declaration& declaration) const {
  const std::string outer =
      declaration.scope && declaration.scope->scope ? path(*declaration.scope) + "/" : "";
  return outer + declaration.name;
}

void RepositoryIds::enter(Declaration& scope) {
  const auto given = scope_prefixes_.find(scope.scoped_name());
  std::string prefix = given != scope_prefixes_.end() ? given->second : scopes_.back().prefix;
  if (given == scope_prefixes_.end() && scopes_.size() == 1) prefix = file_prefixes_[scope.at.file];
  scopes_.push_back({&scope, std::move(prefix), given != scope_prefixes_.end()});
}

void RepositoryIds::assign(Declaration& declaration) {
  const std::string& prefix =
      scopes_.size() == 1 ? file_prefixes_[declaration.at.file] : scopes_.back().prefix;
  declaration.repository_id = "IDL:" + (prefix.empty() ? "" : prefix + "/") + path(declaration) + ":1.0";
}

void RepositoryIds::set_prefix(std::string prefix, std::uint32_t file) {
  if (scopes_.size() == 1)
    file_prefixes_[file] = std::move(prefix);
  else
    scopes_.back().prefix = std::move(prefix);
}

// typeprefix comes after the scope's id was made, so it changes that id and the ids of later declarations in
// the scope.
void RepositoryIds::set_prefix_of(Declaration& scope, std::string prefix) {
  for (Open& open : scopes_)
    if (open.scope == &scope) open.prefix = prefix;
  if (scope.scope) {
    scope_prefixes_[scope.scoped_name()] = prefix;
    for (Declaration* inner : scope.contents) {
      if (!fixed_.contains(inner))
        inner->repository_id = "IDL:" + (prefix.empty() ? "" : prefix + "/") + path(*inner) + ":1.0";
      if (!inner->contents.empty()) set_prefix_of(*inner, prefix);
    }
  } else {
    file_prefixes_[scope.at.file] = prefix;
  }
}

void RepositoryIds::set_id(Declaration& declaration, std::string id, Location at) {
  if (fixed_.contains(&declaration) && declaration.repository_id != id) {
    diagnostics_.error(
        at, "'" + declaration.name + "' already has another repository id, " + declaration.repository_id);
    return;
  }
  if (id.find(':') == std::string::npos) {
    diagnostics_.error(at, "a repository id must have the form FORMAT:TEXT, such as IDL:M/S:1.0");
    return;
  }
  declaration.repository_id = std::move(id);
  fixed_[&declaration] = true;
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
  declaration.repository_id = declaration.repository_id.substr(0, colon + 1) + std::string(version);
}

}  // namespace takt::idl
