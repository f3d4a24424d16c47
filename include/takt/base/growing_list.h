// A list that grows while others read it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace takt {

// None of it ever leaves. One thread at a time adds; any thread looks, without a lock.
template <class T, std::size_t most>
class GrowingList {
 public:
  // False, and it is not taken: the list is full.
  bool add(std::unique_ptr<T> one) {
    const std::size_t count = all().size();
    if (count == most) return false;
    items_[count] = std::move(one);
    count_.store(count + 1, std::memory_order_release);
    return true;
  }
  // In the order they came.
  std::span<const std::unique_ptr<T>> all() const {
    return {items_.data(), count_.load(std::memory_order_acquire)};
  }

 private:
  std::array<std::unique_ptr<T>, most> items_;
  std::atomic<std::size_t> count_ = 0;  // of those that are there as a whole
};

}  // namespace takt
