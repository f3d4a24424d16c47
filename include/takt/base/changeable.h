// A number that changes while others read it.
#pragma once

#include <atomic>

namespace takt {

// Reads and changes from any thread; one who reads gets the value before the change or the one after it.
// Reading costs what reading a T does. A copy is a number of its own.
template <class T>
class Changeable {
 public:
  Changeable(T value) : value_(value) {}  // NOLINT: it is used where a T would be
  Changeable(const Changeable& other) : value_(other.get()) {}
  Changeable& operator=(const Changeable& other) { return *this = other.get(); }
  Changeable& operator=(T value) {
    value_.store(value, std::memory_order_relaxed);
    return *this;
  }
  T get() const { return value_.load(std::memory_order_relaxed); }
  operator T() const { return get(); }  // NOLINT: likewise

 private:
  std::atomic<T> value_;
};

}  // namespace takt
