#include "idl/lsp/uri.h"

#include <charconv>

namespace takt::command::lsp {

std::string uri_of(const std::filesystem::path& path) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  constexpr char digits[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path.string()) {
    if (plain.find(c) != plain.npos) {
      uri += c;
    } else {
      const auto octet = static_cast<unsigned char>(c);
      uri += {'%', digits[octet >> 4], digits[octet & 15]};
    }
  }
  return uri;
}

std::optional<std::filesystem::path> path_of(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return std::nullopt;
  uri.remove_prefix(scheme.size());
  if (uri.starts_with("localhost/")) uri.remove_prefix(9);
  if (!uri.starts_with('/')) return std::nullopt;
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    unsigned octet = 0;
    const char* const begin = uri.data() + i + 1;
    if (i + 2 >= uri.size()) return std::nullopt;
    const auto read = std::from_chars(begin, begin + 2, octet, 16);
    if (read.ptr != begin + 2 || octet == 0) return std::nullopt;
    path += static_cast<char>(octet);
    i += 2;
  }
  return path;
}

}  // namespace takt::command::lsp
