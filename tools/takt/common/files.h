// Reads and writes whole files.
#pragma once

#include <optional>
#include <string>

namespace takt::command {

std::optional<std::string> read_file(const std::string& path);
// Path "-" is standard output.
bool write_file(const std::string& path, const std::string& text);

}  // namespace takt::command
