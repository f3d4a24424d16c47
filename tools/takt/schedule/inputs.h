// Reads the operations of all files on a command line.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "schedulability/model/declaration.h"

namespace takt::command {

// Each file is TOML or a store of `takt schedule serve`. A later file's declaration of an operation overrides
// earlier ones. The error names the file, and the line in a text file.
std::expected<scheduling::DeclaredOperations, std::string> operations_in(std::span<const std::string> files);

}  // namespace takt::command
