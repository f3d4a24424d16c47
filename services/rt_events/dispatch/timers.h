// The thread that makes timer events and supervises the levels.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "rt_events/dispatch/wake_up.h"

namespace takt::rt_events {

// A timer of a subscription. The thread of its consumer's level restarts it, the thread of the timers fires
// it.
class Timer {
 public:
  enum class Kind : std::uint8_t { once, interval, deadline };

  // `restarted`: any thread sets it to the present time of os::Clock, to make a timer of kind `deadline` fire
  // a period later. It must live as long as the timer.
  Timer(Kind kind, std::chrono::nanoseconds period, os::TimePoint now, std::atomic<std::int64_t>& restarted)
      : kind_(kind), period_(period), due_(now + period), restarted_(restarted) {
    restarted_.store(now.time_since_epoch().count(), std::memory_order_relaxed);
  }
  virtual ~Timer() = default;

 private:
  friend class Timers;
  friend class TimerHeap;
  // False: the timer is no longer needed.
  virtual bool fire() = 0;
  virtual bool is_needed() const = 0;

  const Kind kind_;
  const std::chrono::nanoseconds period_;
  os::TimePoint due_;  // used by the thread of the timers
  std::atomic<std::int64_t>& restarted_;
  // In the heap: the first of those that are due later, and the next of the same parent. Before that: the
  // next one that was added.
  Timer *child_ = nullptr, *next_ = nullptr;
};

// Owns timers, by the time at which they are due: a pairing heap, which links them and allocates nothing. One
// thread at a time.
class TimerHeap {
 public:
  TimerHeap() = default;
  ~TimerHeap() { clear(); }
  TimerHeap(const TimerHeap&) = delete;
  TimerHeap& operator=(const TimerHeap&) = delete;

  // The timer that is due first; null: there is none.
  Timer* first() const { return first_; }
  void push(std::unique_ptr<Timer> timer);
  // Takes the first one. Not if there is none.
  std::unique_ptr<Timer> pop();
  // Forgets the timers that are no longer needed.
  void forget_unneeded();
  void clear();

 private:
  static Timer* joined(Timer* one, Timer* other);
  // All timers, as a list.
  Timer* take_all();

  Timer* first_ = nullptr;
};

// One thread that sleeps until the next timer is due. While there is something to supervise, it also calls
// `supervise` in each `step`. Adding, firing and stopping take no lock and allocate nothing.
//
// A timer that is late by more than a period leaves out the expiries that it has missed.
class Timers {
 public:
  // `supervise` returns whether it is to be called again after a step; if not, a step after wake().
  using Supervise = std::function<bool(os::TimePoint now)>;
  // `most_expiries`: of all timers in a second.
  Timers(std::function<void()> prepare, Supervise supervise, std::chrono::nanoseconds step,
         std::uint64_t most_expiries)
      : prepare_(std::move(prepare)),
        supervise_(std::move(supervise)),
        step_(step),
        most_expiries_(most_expiries) {}
  ~Timers() { stop(); }
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  // Throws std::system_error if there is no thread.
  void start() {
    thread_ = std::thread([this] { work(); });
  }
  // Forgets all timers.
  void stop();
  // For timers with that many expiries in a second together. False: there would be too many. Any thread;
  // lock-free.
  bool reserve(std::uint64_t expiries) {
    std::uint64_t before = expiries_.load();
    while (expiries <= most_expiries_ && before <= most_expiries_ - expiries)
      if (expiries_.compare_exchange_weak(before, before + expiries)) return true;
    return expiries == 0;
  }
  void unreserve(std::uint64_t expiries) { expiries_.fetch_sub(expiries); }
  std::uint64_t most_expiries() const { return most_expiries_; }
  // Any thread; lock-free.
  void add(std::unique_ptr<Timer> timer);
  // Forgets the timers that are no longer needed. Any thread; lock-free.
  void forget() {
    forgets_.store(true);
    wake();
  }
  // Begins to supervise. Any thread; lock-free.
  void wake() { wake_up_.post(); }

 private:
  void work();
  void take_added();
  void fire_due(os::TimePoint now);
  static bool fire(Timer& timer, os::TimePoint now);

  const std::function<void()> prepare_;
  const Supervise supervise_;
  const std::chrono::nanoseconds step_;
  const std::uint64_t most_expiries_;
  std::atomic<std::uint64_t> expiries_{0};
  std::atomic<Timer*> added_{nullptr};
  std::atomic<bool> stopping_{false}, forgets_{false};
  WakeUp wake_up_;
  TimerHeap heap_;
  std::thread thread_;
};

}  // namespace takt::rt_events
