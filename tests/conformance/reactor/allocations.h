// Counts the allocations of this program, and refuses them.
#pragma once

#include <cstddef>

namespace takt {

// How often operator new has been called so far, by all threads.
std::size_t allocations();

// While it lives, operator new finds no memory for this thread.
class NoAllocations {
 public:
  NoAllocations();
  ~NoAllocations();
  NoAllocations(const NoAllocations&) = delete;
  NoAllocations& operator=(const NoAllocations&) = delete;
};

}  // namespace takt
