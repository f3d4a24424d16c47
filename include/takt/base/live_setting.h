// A setting that changes while other threads read it.
#pragma once

#include <atomic>

namespace takt {

// Any thread reads and writes without a lock (relaxed atomics); a reader gets the old value or the new one. A
// read costs as much as reading a plain T. A copy is independent of the original.
template <class T>
class LiveSetting {
 public:
  LiveSetting(T value) : value_(value) {}  // NOLINT: implicit, to stand in for a T
  LiveSetting(const LiveSetting& other) : value_(other.get()) {}
  LiveSetting& operator=(const LiveSetting& other) { return *this = other.get(); }
  LiveSetting& operator=(T value) {
    value_.store(value, std::memory_order_relaxed);
    return *this;
  }
  T get() const { return value_.load(std::memory_order_relaxed); }
  operator T() const { return get(); }  // NOLINT: implicit, to stand in for a T

 private:
  std::atomic<T> value_;
};

}  // namespace takt
