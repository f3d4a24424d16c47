// Several descriptors that can be waited for as one.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <memory>
#include <span>

#include <takt/os/clock.h>
#include "os/poll/interest.h"
#include "os/poll/timer_descriptor.h"

namespace takt::os {

// fd() is readable while one of its descriptors is ready, or the time of wake_at() has come. All functions
// may be called from any thread.
class ReadySet {
 public:
  // Fails with an errno value if the process has run out of descriptors.
  static std::expected<std::unique_ptr<ReadySet>, int> create();
  ~ReadySet();
  ReadySet(const ReadySet&) = delete;
  ReadySet& operator=(const ReadySet&) = delete;

  int fd() const { return epoll_fd_; }

  // ready() returns `token`. Returns false at the system's limit on watches.
  bool add(int fd, Interest interest, void* token);
  void change(int fd, Interest interest, void* token);
  // Call before the descriptor is closed.
  void remove(int fd);
  // Ready from that time on, until it is set again; no_deadline: never.
  void wake_at(TimePoint when);

  // Stores tokens of ready descriptors, as many as fit, and returns their number. With `wait`, waits for the
  // first or for wake_at(). Does not allocate.
  std::size_t ready(std::span<void*> tokens, bool wait);

 private:
  explicit ReadySet(int epoll_fd) : epoll_fd_(epoll_fd) {}

  const int epoll_fd_;
  TimerDescriptor timer_;
};

}  // namespace takt::os
