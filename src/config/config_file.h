// Reads options from a file in TOML.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "config/options_table.h"

namespace takt::orb {

struct FileValue {
  const Option* option;
  std::vector<std::string> items;  // texts of the option's value; for a list, one per item
  bool is_list;
  std::string where;  // "takt.toml:3:1"
};

inline constexpr std::size_t max_config_bytes = std::size_t{1024} * 1024;

// Returns only values that their options accept. The error has one line for each mistake, which begins with
// `origin`, line and column, and says what is allowed. Text that is not TOML is one mistake.
std::expected<std::vector<FileValue>, std::string> options_in(std::string_view text,
                                                              const std::string& origin);
// A regular file of up to max_config_bytes. The error begins with its path. Blocks.
std::expected<std::string, std::string> read_config_text(const std::string& path);
// The same for a file; lines of the error begin with its path. Blocks.
std::expected<std::vector<FileValue>, std::string> read_config_file(const std::string& path);

}  // namespace takt::orb
