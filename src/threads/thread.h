// Threads of the ORB.
#pragma once

#include <pthread.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <takt/threads/thread_hook.h>

#include "threads/scheduling/scheduling.h"

namespace takt::os {

struct ThreadOptions {
  std::string name = {};        // for debuggers and ps; the system keeps 15 characters
  std::size_t stack_bytes = 0;  // 0: the system's default (usually 8 MiB of address space)
  ThreadUse use = ThreadUse::internal;
  // Scheduling from its start; empty: that of its creator, without what is lent to it
  // (priority_loan.h). Without permission it begins like its creator, too.
  std::optional<Scheduling> scheduling = {};
};

// One running thread, joined by its owner. It takes no signals: those go to the application's threads.
// Exceptions must not leave `body`.
class Thread {
 public:
  Thread() = default;
  // Fails with an errno value: EAGAIN if the system has no more threads, ENOMEM if there is no memory to
  // start one.
  template <class Body>
  static std::expected<Thread, int> start(const ThreadOptions& options, Body&& body) {
    try {
      return start_one(options, std::forward<Body>(body));
    } catch (const std::bad_alloc&) {
      return std::unexpected(ENOMEM);
    }
  }

  Thread(Thread&& from) noexcept;
  Thread& operator=(Thread&& from) noexcept;
  // Joins.
  ~Thread() { join(); }

  bool joinable() const { return running_; }
  // Waits for `body` to return. No effect if there is no thread. If the thread calls it on itself, it
  // detaches.
  void join();
  // Lets the thread continue on its own; it can no longer be joined.
  void detach();
  bool is_current() const;
  // Only valid while joinable().
  pthread_t handle() const { return handle_; }

 private:
  static std::expected<Thread, int> start_one(const ThreadOptions& options,
                                              std::move_only_function<void()> body);

  pthread_t handle_{};
  bool running_ = false;
};

// The system's id of the calling thread, as in ps and tracers.
std::uint32_t current_thread_number();
// The same for callers on the path of calls: each thread asks the system once.
inline std::uint32_t known_thread_number() {
  thread_local const std::uint32_t number = current_thread_number();
  return number;
}
// The system's id of the process.
std::uint32_t process_number();

// The memory of the calling thread's stack, without its guard pages. `bytes` is 0 if unknown.
struct StackMemory {
  std::uintptr_t lowest = 0;
  std::size_t bytes = 0;
};
// Makes system calls, and reads a file in the main thread: call it once per thread.
StackMemory current_thread_stack();

// Whether this process may use that priority. Tries it in a new thread.
bool may_use(const Scheduling& scheduling);

// How many processors this process may run on; at least 1.
unsigned usable_processors();

}  // namespace takt::os
