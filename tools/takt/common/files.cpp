#include "common/files.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

namespace takt::command {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file) return std::nullopt;
  if (file.peek() != EOF) text << file.rdbuf();  // which fails if there is nothing to copy
  if (file.bad() || !text) return std::nullopt;
  return std::move(text).str();
}

bool write_file(const std::string& path, const std::string& text) {
  if (path == "-") return static_cast<bool>(std::cout << text << std::flush);
  std::ofstream file(path, std::ios::binary);
  return static_cast<bool>(file << text << std::flush);
}

}  // namespace takt::command
