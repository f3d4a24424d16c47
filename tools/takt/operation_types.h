// What IDL says of the bodies of requests and replies.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include <takt/invocation/operation_types.h>

#include "model/model.h"

namespace takt::command {

// Of all interfaces of the unit, those of included files too, each with what it inherits.
std::vector<OperationTypes> operation_types_of(const idl::Unit& unit);
// The same of IDL files. The error is for people, ready to print. While the process has one thread.
std::expected<std::vector<OperationTypes>, std::string> operation_types_in(
    const std::vector<std::string>& files, const std::vector<std::string>& include_folders);

}  // namespace takt::command
