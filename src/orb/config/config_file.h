// Options in a file, in TOML.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "orb/config/options_table.h"

namespace takt::orb {

struct FileValue {
  const Option* option;
  std::vector<std::string> items;  // as the option's text; of a list, each item
  bool is_list;
  std::string where;  // "takt.toml:3:1"
};

inline constexpr std::size_t max_config_bytes = std::size_t{1024} * 1024;

// Each value is one that its option takes. The error has a line for everything that is wrong, which begins
// with `origin`, line and column, and says what would have been right; what is no TOML is one such line.
std::expected<std::vector<FileValue>, std::string> options_in(std::string_view text,
                                                              const std::string& origin);
// Of the file, whose errors begin with the path. Nothing but regular files of up to max_config_bytes.
std::expected<std::vector<FileValue>, std::string> read_config_file(const std::string& path);

}  // namespace takt::orb
