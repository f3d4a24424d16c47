// Reading and writing whole files.
#pragma once

#include <optional>
#include <string>

namespace takt::command {

std::optional<std::string> read_file(const std::string& path);
// To standard output where the path is "-".
bool write_file(const std::string& path, const std::string& text);

}  // namespace takt::command
