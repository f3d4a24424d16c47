// Waiting for many descriptors with many threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>

#include "os/poll/interest.h"

namespace takt::os {

// Each wait() gives one descriptor to one thread. A descriptor that is watched `once` then stays unwatched
// until again(), so two threads never work on the same one. The system passes leadership among the waiting
// threads, so no lock is needed. All functions may be called from any thread. By epoll, unless derived.
class SharedPoll {
 public:
  enum class Watching : std::uint8_t { once, always };
  struct Ready {
    void* token = nullptr;  // null: woken by wake_permanently()
    Interest interest = Interest::none;
  };

  // Fails with an errno value if the process has run out of descriptors.
  static std::expected<std::unique_ptr<SharedPoll>, int> create();
  virtual ~SharedPoll();
  SharedPoll(const SharedPoll&) = delete;
  SharedPoll& operator=(const SharedPoll&) = delete;

  // wait() returns `token`. Returns false at the system's limit on watches, or if the descriptor cannot be
  // waited for.
  virtual bool add(int fd, Interest interest, void* token, Watching watching);
  // Watches again a descriptor that wait() returned.
  virtual bool again(int fd, Interest interest, void* token, Watching watching);
  // Call before the descriptor is closed.
  virtual void remove(int fd);

  // Empty on timeout, or after a signal.
  virtual std::optional<Ready> wait(std::chrono::nanoseconds timeout);
  // Fills `into` with what is ready now, as wait() would return it, and returns the count. Never waits.
  virtual std::size_t take_ready(std::span<Ready> into);
  // Makes every present and later wait() return at once.
  virtual void wake_permanently();
  // Called by the only thread that waits, if it will not wait soon, or not again.
  virtual void rest() {}
  virtual void leave() {}
  int fd() const { return epoll_fd_; }  // readable if wait() would return at once

 protected:
  SharedPoll() = default;
  int open();  // returns an errno value, or 0

 private:
  int epoll_fd_ = -1, wake_fd_ = -1;
};

}  // namespace takt::os
