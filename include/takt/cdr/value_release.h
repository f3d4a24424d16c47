// Releases values without deep recursion.
#pragma once

#include <memory>

namespace takt::cdr {

// Gives up a reference to a value. If it was the last one, the value is destroyed before this returns. While
// this thread is already destroying another value, the release is queued instead. So a linked list of a
// million values needs no more stack than one value.
void release_value(std::shared_ptr<void> value) noexcept;

}  // namespace takt::cdr
