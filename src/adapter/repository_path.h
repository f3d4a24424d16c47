// What a repository id says of where its interface is declared.
#pragma once

#include <string_view>

namespace takt::adapter {

// Of "IDL:omg.org/CosNaming/NamingContext:1.0", what is between the colons; empty for ids of other formats.
inline std::string_view path_of(std::string_view repository_id) {
  if (!repository_id.starts_with("IDL:")) return {};
  repository_id.remove_prefix(4);
  return repository_id.substr(0, repository_id.rfind(':'));
}

}  // namespace takt::adapter
