// Wakes threads that sleep on a futex when the process at the other end is gone.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::os {

// A thread that sleeps on a futex does not notice the state of a socket. One thread of the process, shared by
// all watched sockets, waits for them to end: because the peer closed or was killed, or by this process
// itself (shut_down), also when a timeout of a second or more ends a read (ReadWatch). Calls pay nothing for
// it. The thread runs as a WatchingThread, and exists only while a socket is watched.
class HangUpWatch {
 public:
  enum class End : std::uint8_t { reading, both };

  class Sleeper {
   public:
    // The socket's receiving direction, or both directions, have ended. Wakes the sleepers. Called again
    // every few milliseconds while it returns true: a thread still sleeps. Runs in the watch's thread, never
    // during watch() or after forget(). Must not lock.
    virtual bool on_end(End end) noexcept = 0;

   protected:
    ~Sleeper() = default;
  };

  HangUpWatch() = default;
  ~HangUpWatch() { forget(); }
  HangUpWatch(const HangUpWatch&) = delete;
  HangUpWatch& operator=(const HangUpWatch&) = delete;

  // Watches until forget(). Reports an end that has already happened, too. Returns false if the system has no
  // thread or descriptor left. Any thread; a second call has no effect. Locks and allocates.
  bool watch(int fd, Sleeper& sleeper);
  // Call before the socket is closed. Locks.
  void forget();
  bool watching() const { return watching_.load(std::memory_order_acquire); }

 private:
  friend class HangUpWatchThread;

  std::atomic<bool> watching_{false};
  // Guarded by the watching thread's mutex:
  int fd_ = -1;
  Sleeper* sleeper_ = nullptr;
  End end_ = End::reading;
  std::uint64_t serial_ = 0;  // unique in the process
};

}  // namespace takt::os
