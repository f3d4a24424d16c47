// A function around the work of each thread that the library starts. C++14.
#pragma once

#include <cstdint>

namespace takt {

enum class ThreadUse : std::uint8_t {
  internal,   // the ORB's own work
  upcalls,    // may call servants
  callbacks,  // may call reply handlers
};

// Called in the new thread, at its start. Calls run(work), which is the thread's work and throws nothing; if
// it has not done so when it returns, the thread does it. Must not throw.
using ThreadHook = void (*)(ThreadUse use, void (*run)(void* work), void* work);

// For threads that start later, in the whole process; null: none. Any thread.
void set_thread_hook(ThreadHook hook);

}  // namespace takt
