// An object of each thread that may be used until the thread, and the process, has ended.
#pragma once

#include <cxxabi.h>

#include <memory>

namespace takt {

namespace detail {
// Destroys the object when the calling thread exits, however often the thread has done this before.
inline void at_thread_exit(void (*destroy)(void*), void* object) {
  abi::__cxa_thread_atexit(destroy, object, reinterpret_cast<void*>(destroy));
}
}  // namespace detail

// The calling thread's T. The first use makes it and allocates; the thread's exit destroys it. A thread_local
// variable would then be gone for what runs later in the thread's exit: destructors of other thread_local
// variables and, in the main thread, those of static objects. Here they get a new T. T belongs to one place
// of the program, since all that name it share the object.
template <class T>
T& owned_by_thread() {
  static thread_local constinit T* mine = nullptr;
  if (!mine) [[unlikely]] {
    auto made = std::make_unique<T>();
    detail::at_thread_exit(
        [](void* ended) {
          mine = nullptr;
          delete static_cast<T*>(ended);
        },
        made.get());
    mine = made.release();
  }
  return *mine;
}

}  // namespace takt
