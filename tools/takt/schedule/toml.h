// Reads operations from TOML.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "schedulability/model/declaration.h"

namespace takt::command {

// Parses [[operation]] tables; see docs/user/scheduling.md. The error is readable text with the line of
// `origin`. Unknown keys and duplicate operations are errors.
std::expected<std::vector<scheduling::Declaration>, std::string> declarations_in(std::string_view text,
                                                                                 const std::string& origin);
struct ScheduleFile {
  std::vector<scheduling::Declaration> declarations;
  scheduling::DeclaredSystem system;
};
// All tables of a file. It may have [[chain]] and [[reservation]] tables without operations.
std::expected<ScheduleFile, std::string> schedule_in(std::string_view text, const std::string& origin);
// All tables of one file that is complete by itself.
std::expected<scheduling::Repository, std::string> operations_of(std::string_view text,
                                                                 const std::string& origin);

}  // namespace takt::command
