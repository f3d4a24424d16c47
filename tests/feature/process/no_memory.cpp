#include "no_memory.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace feature {
namespace {

std::atomic<bool> armed = false;
std::atomic<bool> failed = false;
std::atomic<int> left = 0;
std::atomic<Fails> kind = Fails::one;
std::atomic<FailingAllocation::In> place = FailingAllocation::In::this_thread;
constinit thread_local bool armed_here = false;

bool fails_now() {
  if (!armed.load() || armed_here != (place == FailingAllocation::In::this_thread)) return false;
  const int before = left--;
  if (before > 0 || (before < 0 && kind == Fails::one)) return false;
  return failed = true;
}

}  // namespace

FailingAllocation::FailingAllocation(int number, Fails fails, In where) {
  left = number;
  kind = fails;
  place = where;
  failed = false;
  armed_here = true;
  armed = true;
}
FailingAllocation::~FailingAllocation() { armed = armed_here = false; }
bool FailingAllocation::has_failed() { return failed; }

}  // namespace feature

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return feature::fails_now() ? nullptr : std::malloc(size > 0 ? size : 1);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
