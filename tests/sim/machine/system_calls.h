// The real system functions behind the simulated ones.
#pragma once

#include <dlfcn.h>

namespace takt::sim {

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Waits for the baton.
void real_futex_wait(const void* word, unsigned expected);
void real_futex_wake(const void* word);
bool real_thread_exists(int id);
int real_thread_id();
void real_pause();

}  // namespace takt::sim
