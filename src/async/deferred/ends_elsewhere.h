// Objects whose end may wait, also for threads that must not.
#pragma once

#include <memory>
#include <utility>

#include "async/deferred/deferred_calls.h"

namespace takt::async {

// Marks the calling thread for the rest of its life: it delays what others wait for, so that it must not wait
// for the end of such an object.
class PromptThread {
 public:
  static void mark() { is_prompt_ = true; }
  static bool is_this() { return is_prompt_; }

 private:
  static inline thread_local constinit bool is_prompt_ = false;
};

// Drops the reference in a thread of `calls`; in this one if there can be no other.
template <class T>
void drop_elsewhere(std::shared_ptr<T> object, DeferredCalls& calls) noexcept {
  try {
    auto last = std::make_unique<std::shared_ptr<T>>(std::move(object));
    calls.add([of = last.get()] { delete of; });
    static_cast<void>(last.release());
  } catch (...) {  // there is no other thread
  }
}

// The same object. If its last reference is dropped by a prompt thread, a thread of DeferredCalls destroys
// it; that thread itself does if there can be none. May throw std::bad_alloc.
template <class T>
std::shared_ptr<T> ends_elsewhere(std::shared_ptr<T> object) {
  T* const raw = object.get();
  auto* const keeper = new std::shared_ptr<T>(std::move(object));
  // If there is no memory, the function is called.
  return std::shared_ptr<T>(raw, [keeper](T*) noexcept {
    try {
      if (PromptThread::is_this()) return DeferredCalls::of_process().add([keeper] { delete keeper; });
    } catch (...) {  // without another thread
    }
    delete keeper;
  });
}

}  // namespace takt::async
