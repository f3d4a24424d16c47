// How much is left of the calling thread's stack, so that what a peer nests cannot overflow it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::cdr {

// The lowest address of a thread's stack, and its size.
struct ThreadStack {
  std::uintptr_t lowest = 0;
  std::size_t bytes = 0;  // 0: not known
};

// Tells where the calling thread's stack is. It is called once in each thread that decodes something nested.
using FindThreadStack = ThreadStack (*)();
// cdr makes no system calls: a layer above says how stacks are found. Until then they are not looked at.
void set_stack_finder(FindThreadStack find);

// Whether less is left than decoding needs below the place where it asks: a quarter of the stack, at most
// 128 KiB. False on stacks that are not the thread's own, as those of coroutines.
bool stack_is_short();

}  // namespace takt::cdr
