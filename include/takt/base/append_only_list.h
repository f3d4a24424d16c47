// An append-only list that grows while other threads read it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace takt {

// Elements are never removed. One thread at a time adds; any thread reads, without a lock.
template <class T, std::size_t most>
class AppendOnlyList {
 public:
  // Returns false, and drops `one`, if the list is full.
  bool add(std::unique_ptr<T> one) {
    const std::size_t count = all().size();
    if (count == most) return false;
    items_[count] = std::move(one);
    count_.store(count + 1, std::memory_order_release);
    return true;
  }
  // All elements, in the order in which they were added.
  std::span<const std::unique_ptr<T>> all() const {
    return {items_.data(), count_.load(std::memory_order_acquire)};
  }

 private:
  std::array<std::unique_ptr<T>, most> items_;
  std::atomic<std::size_t> count_ = 0;  // elements that are completely added
};

}  // namespace takt
