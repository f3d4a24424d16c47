// One feature's state of an ORB, of a type that its users know.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "threads/locks/priority_mutex.h"

namespace takt::client {

class FeatureState {
 public:
  // The ORB is down. The caller holds no lock.
  virtual void shut_down() noexcept = 0;

 protected:
  ~FeatureState() = default;
};

// For asynchronous calls. Any thread.
class FeatureSlot {
 public:
  // The state; the first call makes it with make(), which returns a std::shared_ptr<T>, where T is a
  // FeatureState. All calls must name the same T. Takes no lock once it is made.
  template <class T, class Make>
  T& get_or_make(const Make& make) {
    if (FeatureState* const made = made_.load(std::memory_order_acquire)) return *static_cast<T*>(made);
    std::lock_guard lock(mutex_);
    if (!owned_) {
      std::shared_ptr<T> state = make();
      made_.store(state.get(), std::memory_order_release);
      owned_ = std::move(state);
    }
    return *static_cast<T*>(made_.load(std::memory_order_relaxed));
  }

  // Tells the state, if there is one.
  void shut_down() noexcept {
    if (FeatureState* const made = made_.load(std::memory_order_acquire)) made->shut_down();
  }

 private:
  std::atomic<FeatureState*> made_{nullptr};
  std::shared_ptr<FeatureState> owned_;
  os::PriorityMutex mutex_;
};

}  // namespace takt::client
