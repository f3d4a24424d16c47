// Operations from TOML.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "scheduling/model/declaration.h"

namespace takt::command {

// [[operation]] tables; see docs/user/scheduling.md. The error says what is wrong, on which line of `origin`.
// Unknown keys, and an operation that comes twice, are errors.
std::expected<std::vector<scheduling::Declaration>, std::string> declarations_in(std::string_view text,
                                                                                 const std::string& origin);
// The same, of a file that is complete by itself.
std::expected<scheduling::Repository, std::string> operations_of(std::string_view text,
                                                                 const std::string& origin);

}  // namespace takt::command
