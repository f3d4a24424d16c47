// Allocations that fail. Included by one source of a program, for which it replaces the operators.
#pragma once

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

#include "eventually.h"

namespace takt::test {

// Allocations of the test's thread until the one that fails; negative: none fails.
inline thread_local int until_failure_here = -1;
// Whether this thread is the test's.
inline thread_local bool is_here = false;
// Allocations of all other threads until the one that fails; negative: none fails.
inline std::atomic<int> until_failure_elsewhere{-1};

inline bool allocation_fails() {
  if (is_here) return until_failure_here >= 0 && until_failure_here-- == 0;
  return until_failure_elsewhere.load(std::memory_order_relaxed) >= 0 && until_failure_elsewhere-- == 0;
}

}  // namespace takt::test

void* operator new(std::size_t octets) {
  if (takt::test::allocation_fails()) throw std::bad_alloc();
  if (void* const memory = std::malloc(octets ? octets : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace takt::test {

// The test's thread, while it lives.
class Here {
 public:
  Here() { is_here = true; }
  ~Here() {
    is_here = false;
    until_failure_here = until_failure_elsewhere = -1;
  }
  Here(const Here&) = delete;
  Here& operator=(const Here&) = delete;
};

// Runs the call, whose allocation with that number fails. Returns whether it has had as many.
template <class Call>
bool fails_here(int allocation, const Call& call) {
  until_failure_here = allocation;
  try {
    call();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): that there is no memory
  }
  const bool failed = until_failure_here < 0;
  until_failure_here = -1;
  return failed;
}

// The same for an allocation of the other threads, which have until `end`.
template <class Call, class End>
bool fails_elsewhere(int allocation, const Call& call, const End& end) {
  until_failure_elsewhere = allocation;
  call();
  (void)eventually([&] { return until_failure_elsewhere < 0 || end(); });
  return until_failure_elsewhere.exchange(-1) < 0;
}

}  // namespace takt::test
