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

// Each wait() gives one descriptor to one thread. A descriptor that is watched `once` is then nobody's until
// it is watched again, so that two threads never work on the same one: the system hands over the lead among
// the threads that wait, and no lock is needed for it. Any thread may call anything.
class SharedPoll {
 public:
  enum class Watching : std::uint8_t { once, always };
  struct Ready {
    void* token = nullptr;  // null: only woken
    Interest interest = Interest::none;
  };

  // Fails with an errno value, when the process is out of descriptors.
  static std::expected<std::unique_ptr<SharedPoll>, int> create();
  ~SharedPoll();
  SharedPoll(const SharedPoll&) = delete;
  SharedPoll& operator=(const SharedPoll&) = delete;

  // `token` comes back from wait(). False: the system's limit on watches, or nothing that can be waited for.
  bool add(int fd, Interest interest, void* token, Watching watching);
  // Watches one that wait() gave, again.
  bool again(int fd, Interest interest, void* token, Watching watching);
  // Before it is closed.
  void remove(int fd);

  // Nothing: the time is over, or a signal came.
  std::optional<Ready> wait(std::chrono::nanoseconds timeout);
  // Fills `into` with what is ready now, as wait() would give it, and says how much that is. Never waits.
  std::size_t take_ready(std::span<Ready> into);
  // Every wait() returns at once from now on.
  void wake_for_good();

 private:
  SharedPoll(int epoll_fd, int wake_fd) : epoll_fd_(epoll_fd), wake_fd_(wake_fd) {}

  const int epoll_fd_;
  const int wake_fd_;
};

}  // namespace takt::os
