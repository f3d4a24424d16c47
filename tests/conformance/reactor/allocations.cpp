#include "allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> count = 0;
constinit thread_local bool refused = false;
constinit thread_local std::size_t left = 0;

bool is_refused() {
  if (!refused) return false;
  if (left == 0) return true;
  --left;
  return false;
}
}  // namespace

std::size_t takt::allocations() { return count.load(); }
takt::NoAllocations::NoAllocations(std::size_t granted) {
  left = granted;
  refused = true;
}
takt::NoAllocations::~NoAllocations() { refused = false; }

// Includes the non-throwing forms, because AddressSanitizer's versions do not call these operators.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  if (is_refused()) return nullptr;
  return std::malloc(size > 0 ? size : 1);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
