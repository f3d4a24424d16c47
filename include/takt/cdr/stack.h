// Remaining stack of the calling thread, so that nested data from a peer cannot overflow it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::cdr {

// The lowest address of a thread's stack, and its size.
struct ThreadStack {
  std::uintptr_t lowest = 0;
  std::size_t bytes = 0;  // 0: unknown
};

// Finds the calling thread's stack. Called once in each thread that decodes nested data.
using FindThreadStack = ThreadStack (*)();
// Set by a layer above, since cdr makes no system calls. Without it, stacks are not checked.
void set_stack_finder(FindThreadStack find);

// Whether less stack is left than decoding needs: a quarter of the stack, at most 128 KiB. False on stacks
// other than the thread's own, such as those of coroutines.
bool stack_is_short();

}  // namespace takt::cdr
