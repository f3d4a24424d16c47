// Threads of the ORB's own.
#pragma once

#include <pthread.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <new>
#include <string>
#include <utility>

namespace takt::os {

struct ThreadOptions {
  std::string name = {};        // shown by debuggers and ps; the system keeps the first 15 characters
  std::size_t stack_bytes = 0;  // 0: the system's default (usually 8 MiB of address space, touched as used)
};

// One running thread, joined by its owner. It takes no signals: those stay with the application's
// threads. Exceptions must not leave `body`.
class Thread {
 public:
  Thread() = default;
  // Fails with an errno value, EAGAIN when the system has no more threads to give, ENOMEM when there is no
  // memory to begin one.
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
  // Waits for `body` to return. Nothing happens when there is no thread (any more), and when the
  // thread asks for itself, which is detached instead.
  void join();
  // Lets the thread go on by itself; nobody can wait for it any more.
  void detach();
  bool is_current() const;
  // Only while it is joinable.
  pthread_t handle() const { return handle_; }

 private:
  static std::expected<Thread, int> start_one(const ThreadOptions& options,
                                              std::move_only_function<void()> body);

  pthread_t handle_{};
  bool running_ = false;
};

// The system's number for the calling thread, as ps and tracers show it.
std::uint32_t current_thread_number();
// Likewise for the process.
std::uint32_t process_number();

// The memory of the calling thread's stack, without its guard pages. `bytes` is 0 where the system does not
// say.
struct StackMemory {
  std::uintptr_t lowest = 0;
  std::size_t bytes = 0;
};
// Makes system calls, and reads a file in the first thread: once in a thread is enough.
StackMemory current_thread_stack();

// How many processors this process may run on; at least 1.
unsigned usable_processors();

}  // namespace takt::os
