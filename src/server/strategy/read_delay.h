// Delays reading connections whose requests were refused because they arrived too fast.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>
#include <vector>

#include "os/poll/timer_descriptor.h"
#include "os/threads/priority_mutex.h"
#include "server/request/upcall_context.h"

namespace takt::server {

// The dispatcher's demand not to read the connection of the calling thread's request until a time. The last
// request of a read decides: if it is served, the next read is not delayed.
class ReadDelay {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  // Number of refused requests in one read for which the delay is added once. More of them multiply the
  // delay.
  static constexpr unsigned refused_at_once = 100;

  static void ask(TimePoint now, std::chrono::nanoseconds delay) {
    UpcallContext& mine = UpcallContext::mine();
    mine.unread_until = now + delay * (1 + mine.refused_too_fast++ / refused_at_once);
  }
  static void withdraw() { take(); }
  // Costs a load and a comparison.
  static bool asked() { return UpcallContext::mine().unread_until != TimePoint{}; }
  static TimePoint take() {
    UpcallContext& mine = UpcallContext::mine();
    mine.refused_too_fast = 0;
    return std::exchange(mine.unread_until, {});
  }
};

// The delayed connections of a pool of threads. `Connection` is a handle that can be compared. Any thread.
template <class Connection>
class DelayedReads {
 public:
  using TimePoint = ReadDelay::TimePoint;

  // Readable when the first connection may be read again. -1: the system gave no timer, and add() must not be
  // called.
  int fd() const { return timer_.fd(); }
  // The caller must not use the connection afterwards: another thread may take it before this returns.
  void add(Connection connection, TimePoint until) {
    const std::lock_guard lock(mutex_);
    all_.push_back({until, std::move(connection)});
    set_timer();
  }
  void forget(const Connection& connection) {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [&](const Entry& each) { return each.connection == connection; });
    set_timer();
  }
  std::vector<Connection> take_due(TimePoint now) {
    std::vector<Connection> due;
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [&](Entry& each) {
      if (each.until > now) return false;
      due.push_back(std::move(each.connection));
      return true;
    });
    set_timer();
    return due;
  }

 private:
  struct Entry {
    TimePoint until;
    Connection connection;
  };
  // Call with the mutex.
  void set_timer() {
    const auto first = std::ranges::min_element(all_, {}, &Entry::until);
    if (first == all_.end())
      timer_.clear();
    else
      timer_.set(first->until);
  }

  os::TimerDescriptor timer_;
  os::PriorityMutex mutex_;
  std::vector<Entry> all_;
};

}  // namespace takt::server
