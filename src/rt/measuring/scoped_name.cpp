#include "rt/measuring/scoped_name.h"

#include <algorithm>

#include "rt/repository_path.h"

namespace takt::rt {

bool is_identifier(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && text.size() <= 256 && std::ranges::all_of(text, fits);
}

std::string scoped_name(std::string_view repository_id) {
  std::string name;
  for (std::string_view path = path_of(repository_id); !path.empty();) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (is_identifier(part))
      name.append(name.empty() ? "" : "::").append(part);
    else if (!name.empty())
      return {};
  }
  return name;
}

}  // namespace takt::rt
