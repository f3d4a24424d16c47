// The secret operations of this process (takt/base/secret_operation.h).
#pragma once

#include <atomic>
#include <string_view>

namespace takt::secret_operations {

extern std::atomic<bool> some;  // set before the first is found
// Whether there are any. One load. Any thread.
inline bool exist() noexcept { return some.load(std::memory_order_relaxed); }
// Whether an operation of that name is secret. Neither locks nor allocates. Any thread.
bool has(std::string_view name) noexcept;

}  // namespace takt::secret_operations
