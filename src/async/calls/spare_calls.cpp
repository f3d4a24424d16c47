#include "async/calls/spare_calls.h"

#include <mutex>
#include <new>

#include "async/calls/call.h"

namespace takt::async {

SpareCalls::~SpareCalls() {
  for (std::uint32_t number = 1; number <= made_; ++number) delete place_of(number);
}

Call* SpareCalls::take() noexcept {
  static_assert(decltype(head_)::is_always_lock_free);
  Head head = head_.load(std::memory_order_acquire);
  while (head.first != 0) {
    Call* const first = place_of(head.first);
    // Another thread may have taken it, and may even use it; then the exchange fails.
    const Head next{first->next_spare.load(std::memory_order_relaxed), head.changes + 1};
    if (head_.compare_exchange_weak(head, next, std::memory_order_acquire, std::memory_order_acquire))
      return first;
  }
  return nullptr;
}

Call& SpareCalls::make(AsyncCalls& of) {
  const std::lock_guard lock(making_);
  const std::uint32_t number = made_ + 1;
  const std::size_t part = part_of(number);
  if (part >= most_parts) throw std::bad_alloc();
  if (!parts_[part]) parts_[part] = std::make_unique<Call*[]>(first_part << part);
  Call* const call = new Call(of);
  call->number = number;
  place_of(number) = call;
  made_ = number;
  return *call;
}

void SpareCalls::give_back(Call& call) noexcept {
  Head head = head_.load(std::memory_order_relaxed), next{};
  do {
    call.next_spare.store(head.first, std::memory_order_relaxed);
    next = {call.number, head.changes + 1};
  } while (!head_.compare_exchange_weak(head, next, std::memory_order_release, std::memory_order_relaxed));
}

}  // namespace takt::async
