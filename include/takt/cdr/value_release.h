// How values are let go of without deep recursion.
#pragma once

#include <memory>

namespace takt::cdr {

// Gives up a reference to a value. If it was the last one, the value is destroyed before this returns; but
// while this thread is destroying another value, the reference waits until that value is destroyed. So a list
// of a million values, each referring to the next, needs no more of the stack than one value.
void release_value(std::shared_ptr<void> value) noexcept;

}  // namespace takt::cdr
