// The secret operations of this process (takt/base/secret_operation.h).
#pragma once

#include <string_view>

namespace takt::secret_operations {

// Whether there are any. One load. Any thread.
bool exist() noexcept;
// Whether an operation of that name is secret. Neither locks nor allocates. Any thread.
bool has(std::string_view name) noexcept;

}  // namespace takt::secret_operations
