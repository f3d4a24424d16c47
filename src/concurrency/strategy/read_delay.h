// Delays reading connections whose requests were refused because they arrived too fast.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "os/poll/timer_descriptor.h"
#include "server/request/upcall_context.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {

// The turns in which connections are read again whose requests were refused, for one operation. Any thread.
class RefusalTurns {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  // The next turn's begin; it lasts for `length`. No later than `last`.
  TimePoint take(TimePoint now, std::chrono::nanoseconds length, TimePoint last) {
    const std::int64_t from = now.time_since_epoch().count(), to = last.time_since_epoch().count();
    std::int64_t next = next_ns_.load(std::memory_order_relaxed), mine = 0;
    do mine = std::clamp(next, from, to);
    while (!next_ns_.compare_exchange_weak(next, std::max(next, mine + length.count()),
                                           std::memory_order_relaxed));
    return TimePoint(TimePoint::duration(mine));
  }

 private:
  std::atomic<std::int64_t> next_ns_{0};
};

// The dispatcher's demand not to read the connection of the calling thread's request until a time. The last
// request of a read decides: if it is served, the next read is not delayed.
class ReadDelay {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  // Number of refused requests in one read for which the delay is added once. More of them multiply the
  // delay.
  static constexpr unsigned refused_at_once = 100;

  // A request was refused that may come again after `until_admitted`. The delay is that, `longest` at most.
  // If connections wait for an operation's turns, they are read again one after the other, sixteen in each
  // `longest`, so that a flood over many connections costs no more than one over sixteen. A further request
  // of a read takes a tenth of a turn. None waits for more than 64 times `longest`.
  static void ask(TimePoint now, std::chrono::nanoseconds until_admitted, std::chrono::nanoseconds longest,
                  RefusalTurns& turns) {
    constexpr int in_each_delay = 16, further_in_each_turn = 10, most_delays = 64;
    UpcallContext& mine = UpcallContext::mine();
    const auto turn = longest / in_each_delay / (mine.refused_too_fast == 0 ? 1 : further_in_each_turn);
    const auto delay = std::min(until_admitted, longest) * (1 + mine.refused_too_fast++ / refused_at_once);
    mine.unread_until =
        std::max({mine.unread_until, now + delay, turns.take(now, turn, now + most_delays * longest)});
  }
  // The connection is to be read again after the others that wait.
  static void ask_for_turn(TimePoint now) { UpcallContext::mine().unread_until = now; }
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
  // The caller must not use the connection afterwards: another thread may take it before this returns. False:
  // there is no memory, and the caller still has it.
  [[nodiscard]] bool add(Connection connection, TimePoint until) {
    const std::lock_guard lock(mutex_);
    try {
      all_.push_back({until, std::move(connection)});
    } catch (const std::bad_alloc&) {
      return false;
    }
    set_timer();
    return true;
  }
  void forget(const Connection& connection) {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [&](const Entry& each) { return each.connection == connection; });
    set_timer();
  }
  std::vector<Connection> take_due(TimePoint now) {
    constexpr std::chrono::milliseconds try_again{10};
    std::vector<Connection> due;
    const std::lock_guard lock(mutex_);
    try {
      due.reserve(all_.size());
    } catch (const std::bad_alloc&) {
      timer_.set(now + try_again);
      return due;
    }
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
