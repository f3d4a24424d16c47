// Several descriptors that can be waited for as one.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <memory>
#include <span>

#include <takt/os/clock.h>
#include "os/poll/interest.h"

namespace takt::os {

// fd() is ready for reading while one of its descriptors is, or the time of wake_at() has come. Any thread
// may call anything.
class ReadySet {
 public:
  // Fails with an errno value, when the process is out of descriptors.
  static std::expected<std::unique_ptr<ReadySet>, int> create();
  ~ReadySet();
  ReadySet(const ReadySet&) = delete;
  ReadySet& operator=(const ReadySet&) = delete;

  int fd() const { return epoll_fd_; }

  // `token` comes back from ready(). False: the system's limit on watches.
  bool add(int fd, Interest interest, void* token);
  void change(int fd, Interest interest, void* token);
  // Before it is closed.
  void remove(int fd);
  // From then on, until it is set anew; no_deadline: never.
  void wake_at(TimePoint when);

  // The tokens of those that are ready, as many as there is room for; waits for the first, or for wake_at(),
  // or not at all. Does not allocate.
  std::size_t ready(std::span<void*> tokens, bool wait);

 private:
  ReadySet(int epoll_fd, int timer_fd) : epoll_fd_(epoll_fd), timer_fd_(timer_fd) {}

  const int epoll_fd_;
  const int timer_fd_;
};

}  // namespace takt::os
