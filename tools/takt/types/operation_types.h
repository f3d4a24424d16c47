// Types of request and reply bodies, from IDL.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include <takt/invocation/operation_types.h>

#include "model/model.h"

namespace takt::command {

// For all interfaces of the unit, also those in included files, with inherited operations.
std::vector<OperationTypes> operation_types_of(const idl::Unit& unit);
// The same from IDL files. The error is readable text, ready to print. Must be called while the process has
// only one thread.
std::expected<std::vector<OperationTypes>, std::string> operation_types_in(
    const std::vector<std::string>& files, const std::vector<std::string>& include_folders);

}  // namespace takt::command
