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
// threads, so no lock is needed. All functions may be called from any thread.
class SharedPoll {
 public:
  enum class Watching : std::uint8_t { once, always };
  struct Ready {
    void* token = nullptr;  // null: woken by wake_permanently()
    Interest interest = Interest::none;
  };

  // Fails with an errno value if the process has run out of descriptors.
  static std::expected<std::unique_ptr<SharedPoll>, int> create();
  ~SharedPoll();
  SharedPoll(const SharedPoll&) = delete;
  SharedPoll& operator=(const SharedPoll&) = delete;

  // wait() returns `token`. Returns false at the system's limit on watches, or if the descriptor cannot be
  // waited for.
  bool add(int fd, Interest interest, void* token, Watching watching);
  // Watches again a descriptor that wait() returned.
  bool again(int fd, Interest interest, void* token, Watching watching);
  // Call before the descriptor is closed.
  void remove(int fd);

  // Empty on timeout, or after a signal.
  std::optional<Ready> wait(std::chrono::nanoseconds timeout);
  // Fills `into` with what is ready now, as wait() would return it, and returns the count. Never waits.
  std::size_t take_ready(std::span<Ready> into);
  // Makes every present and later wait() return at once.
  void wake_permanently();

 private:
  SharedPoll(int epoll_fd, int wake_fd) : epoll_fd_(epoll_fd), wake_fd_(wake_fd) {}

  const int epoll_fd_;
  const int wake_fd_;
};

}  // namespace takt::os
