// The system's own functions, behind those of the simulation.
#pragma once

#include <dlfcn.h>

namespace takt::sim {

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Waiting for the baton.
void real_futex_wait(const void* word, unsigned expected);
void real_futex_wake(const void* word);
bool real_thread_exists(int id);
int real_thread_id();
void real_pause();

}  // namespace takt::sim
