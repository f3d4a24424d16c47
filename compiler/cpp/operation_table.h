// The operation table of a skeleton and its perfect hash.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cpp/context.h"

namespace takt::idl::cpp {

// Prints operations_of_, hash_of_ and table_of_ the skeleton. `names`: the operations as they are called on
// the wire; `entries`: their OperationEntry initializers, one per line. Prints nothing if there are none. The
// error is readable text.
std::expected<void, std::string> print_operation_table(Context& context, const std::string& skeleton,
                                                       const std::vector<std::string>& names,
                                                       const std::string& entries);

}  // namespace takt::idl::cpp
