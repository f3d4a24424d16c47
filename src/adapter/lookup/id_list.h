// Lists of ids in files, for tables of them.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::adapter {

// What a line says: \xHH is an octet, \\ a backslash. Nothing if it is malformed.
std::optional<std::string> id_of_line(std::string_view line);
// "outer/inner" as the path that keys hold, which adapter_path() makes; its names are written as ids are.
std::optional<std::string> adapter_path_of_line(std::string_view line);

// Of a file with one to a line; empty lines say nothing. The error names the file, and the line if it is one.
std::expected<std::vector<std::string>, std::string> read_id_list(const std::string& file, bool of_adapters);

}  // namespace takt::adapter
