// Files that list ids, for perfect hashing.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::adapter {

// Decodes a line: \xHH is an octet, \\ a backslash. nullopt if it is malformed.
std::optional<std::string> id_of_line(std::string_view line);
// Converts "outer/inner" to the path in keys, as made by adapter_path(). Names are written like ids.
std::optional<std::string> adapter_path_of_line(std::string_view line);

// Reads a file with one id per line; empty lines are ignored. The error has the file's name, and the line
// number if a line is malformed.
std::expected<std::vector<std::string>, std::string> read_id_list(const std::string& file, bool of_adapters);

}  // namespace takt::adapter
