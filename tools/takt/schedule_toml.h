// Operations from TOML.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "scheduling/model/repository.h"

namespace takt::command {

// [[operation]] tables; see docs/user/scheduling.md. The error says what is wrong, on which line of `origin`.
// Unknown keys are errors.
std::expected<scheduling::Repository, std::string> operations_of(std::string_view text,
                                                                 const std::string& origin);

}  // namespace takt::command
