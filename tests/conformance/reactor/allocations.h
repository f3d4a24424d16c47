// Counts the allocations of this program and can make them fail.
#pragma once

#include <cstddef>

namespace takt {

// Number of calls of operator new so far, in all threads.
std::size_t allocations();

// While this object exists, operator new fails in this thread, after the first `granted` allocations.
class NoAllocations {
 public:
  explicit NoAllocations(std::size_t granted = 0);
  ~NoAllocations();
  NoAllocations(const NoAllocations&) = delete;
  NoAllocations& operator=(const NoAllocations&) = delete;
};

}  // namespace takt
