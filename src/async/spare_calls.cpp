#include "async/spare_calls.h"

#include "async/call.h"

namespace takt::async {

SpareCalls::~SpareCalls() {
  for (Call* call = made_.load(); call;) {
    Call* const next = call->next_made;
    delete call;
    call = next;
  }
}

Call* SpareCalls::take() noexcept {
  std::uint64_t head = head_.load(std::memory_order_acquire);
  for (;;) {
    Call* const first = call_of(head);
    if (!first) return nullptr;
    // Another thread may have taken it, and may even use it; then the exchange fails.
    const Call* const next = first->next_spare.load(std::memory_order_relaxed);
    if (head_.compare_exchange_weak(head, head_of(next, head), std::memory_order_acquire,
                                    std::memory_order_acquire))
      return first;
  }
}

Call& SpareCalls::make(AsyncCalls& of) {
  Call* const call = new Call(of);
  call->next_made = made_.load(std::memory_order_relaxed);
  while (!made_.compare_exchange_weak(call->next_made, call)) {
  }
  return *call;
}

void SpareCalls::give_back(Call& call) noexcept {
  std::uint64_t head = head_.load(std::memory_order_relaxed);
  do call.next_spare.store(call_of(head), std::memory_order_relaxed);
  while (!head_.compare_exchange_weak(head, head_of(&call, head), std::memory_order_release,
                                      std::memory_order_relaxed));
}

}  // namespace takt::async
