#include "lookup/id_list.h"

#include <fstream>

#include "lookup/keys/object_key.h"

namespace takt::adapter {

namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<std::string> id_of_line(std::string_view line) {
  std::string octets;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\') {
      octets += line[i];
    } else if (line.compare(i, 2, "\\\\") == 0) {
      octets += line[++i];
    } else {
      if (line.compare(i, 2, "\\x") != 0 || i + 3 >= line.size()) return std::nullopt;
      const int high = digit(line[i + 2]), low = digit(line[i + 3]);
      if (high < 0 || low < 0) return std::nullopt;
      octets += static_cast<char>(high * 16 + low);
      i += 3;
    }
  }
  return octets;
}

std::optional<std::string> adapter_path_of_line(std::string_view line) {
  std::string path;
  while (!line.empty()) {
    const auto end = line.find('/');
    const auto name = id_of_line(line.substr(0, end));
    if (!name) return std::nullopt;
    path = append_to_path(path, *name);
    line = end == std::string_view::npos ? std::string_view() : line.substr(end + 1);
  }
  return path;
}

[[gnu::cold]] std::expected<std::vector<std::string>, std::string> read_id_list(const std::string& file,
                                                                                bool of_adapters) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::unexpected(file + ": cannot be read");
  std::vector<std::string> ids;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty()) continue;
    auto id = of_adapters ? adapter_path_of_line(line) : id_of_line(line);
    if (!id)
      return std::unexpected(file + ':' + std::to_string(number) +
                             ": a backslash is written \\\\, and an octet \\xHH");
    ids.push_back(std::move(*id));
  }
  if (ids.empty()) return std::unexpected(file + ": there are no ids in it, one to a line");
  return ids;
}

}  // namespace takt::adapter
