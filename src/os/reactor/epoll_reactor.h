// Implements the reactor with epoll(7).
#pragma once

#include <sys/epoll.h>

#include <atomic>
#include <memory>
#include <vector>

#include "os/reactor/reactor.h"
#include "os/reactor/timer_queue.h"

namespace takt::os {

// One epoll_wait per round, for up to events_per_round events. Further events come first in the next round,
// because the system rotates its ready list. Sixteen octets of memory per descriptor number.
class EpollReactor final : public Reactor {
 public:
  static constexpr int events_per_round = 64;

  // Fails with an errno value if the process has run out of descriptors.
  static std::expected<std::unique_ptr<EpollReactor>, int> create();
  ~EpollReactor() override;

  std::expected<void, ReactorError> add(int fd, Interest interest, EventHandler* handler) override;
  std::expected<void, ReactorError> modify(int fd, Interest interest) override;
  std::expected<void, ReactorError> remove(int fd) override;
  TimerId schedule(TimePoint when, TimerHandler* handler) override { return timers_.schedule(when, handler); }
  bool cancel(TimerId timer) override { return timers_.cancel(timer); }
  std::size_t run_once(std::chrono::nanoseconds timeout) override;
  void notify() noexcept override;
  bool has_others(int fd) override;

 private:
  // The registration of a descriptor number. The generation distinguishes its events from those of an earlier
  // registration of the same number.
  struct Watch {
    EventHandler* handler = nullptr;
    std::uint32_t generation = 0;
    Interest interest = Interest::none;
  };
  EpollReactor(int epoll_fd, int wake_fd) : epoll_fd_(epoll_fd), wake_fd_(wake_fd) {}
  Watch* find(int fd);
  int control(int operation, int fd, const Watch& watch);
  int wait(epoll_event* events, std::chrono::nanoseconds timeout);
  bool dispatch(const epoll_event& event);

  const int epoll_fd_;
  const int wake_fd_;
  std::atomic<bool> notified_ = false;
  std::vector<Watch> watches_;  // indexed by descriptor
  TimerQueue timers_;
};

}  // namespace takt::os
