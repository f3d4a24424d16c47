// The operations of all the files that a command line names.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "scheduling/model/declaration.h"

namespace takt::command {

// Each is TOML or what `takt schedule serve` has stored; what a later one says of an operation replaces what
// earlier ones do. The error names the file, and the line if it has lines.
std::expected<scheduling::DeclaredOperations, std::string> operations_in(std::span<const std::string> files);

}  // namespace takt::command
