// The path part of a repository id.
#pragma once

#include <string_view>

namespace takt::rt {

// For "IDL:omg.org/CosNaming/NamingContext:1.0", the part between the colons; empty for other id formats.
inline std::string_view path_of(std::string_view repository_id) {
  if (!repository_id.starts_with("IDL:")) return {};
  repository_id.remove_prefix(4);
  return repository_id.substr(0, repository_id.rfind(':'));
}

}  // namespace takt::rt
