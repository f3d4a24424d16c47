// The greatest of the values that threads note.
#pragma once

#include <atomic>

namespace takt {

// Makes `most` at least `value`. Any thread; relaxed, without a lock.
template <class T>
void raise_to(std::atomic<T>& most, T value) noexcept {
  T before = most.load(std::memory_order_relaxed);
  while (before < value && !most.compare_exchange_weak(before, value, std::memory_order_relaxed)) continue;
}

}  // namespace takt
