// Telling threads that sleep on a futex that the process at the other end is gone.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::os {

// A thread that sleeps on a futex learns nothing of a socket. So one thread of the process, shared by all
// sockets that are watched, waits for their ends: the peer's, be it closed or killed, and those that this
// process makes itself (shut_down). It costs a call nothing. There is no such thread while nobody watches.
class HangUpWatch {
 public:
  enum class End : std::uint8_t { reading, both };

  class Sleeper {
   public:
    // Nothing more is received on the socket, or nothing sent either. Wakes whoever sleeps, and is called
    // again every few milliseconds as long as it returns true: somebody still sleeps. In the watch's thread,
    // never during watch() or after forget(); locks nothing.
    virtual bool on_end(End end) noexcept = 0;

   protected:
    ~Sleeper() = default;
  };

  HangUpWatch() = default;
  ~HangUpWatch() { forget(); }
  HangUpWatch(const HangUpWatch&) = delete;
  HangUpWatch& operator=(const HangUpWatch&) = delete;

  // Until forget(). An end that has come already is told as well. False: the system has no thread or
  // descriptor for it. Any thread; once is enough. Locks and allocates.
  bool watch(int fd, Sleeper& sleeper);
  // Before the socket is closed. Locks.
  void forget();
  bool watching() const { return watching_.load(std::memory_order_acquire); }

 private:
  friend class HangUpWatchman;

  std::atomic<bool> watching_{false};
  // Under the watchman's mutex:
  int fd_ = -1;
  Sleeper* sleeper_ = nullptr;
  End end_ = End::reading;
  std::uint64_t serial_ = 0;  // never another's
};

}  // namespace takt::os
