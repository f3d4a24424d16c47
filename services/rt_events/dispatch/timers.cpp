#include "rt_events/dispatch/timers.h"

#include <algorithm>
#include <utility>

namespace takt::rt_events {

Timer* TimerHeap::joined(Timer* one, Timer* other) {
  if (other->due_ < one->due_) std::swap(one, other);
  other->next_ = one->child_;
  one->child_ = other;
  return one;
}

void TimerHeap::push(std::unique_ptr<Timer> timer) {
  Timer* const one = timer.release();
  one->child_ = nullptr;
  one->next_ = nullptr;
  first_ = first_ ? joined(first_, one) : one;
}

// The children are joined in pairs, and these from the last one on.
std::unique_ptr<Timer> TimerHeap::pop() {
  Timer* const popped = first_;
  Timer* pairs = nullptr;  // the last first
  for (Timer* child = std::exchange(popped->child_, nullptr); child != nullptr;) {
    Timer* pair = child;
    child = std::exchange(pair->next_, nullptr);
    if (child != nullptr) {
      Timer* const other = child;
      child = std::exchange(other->next_, nullptr);
      pair = joined(pair, other);
    }
    pair->next_ = pairs;
    pairs = pair;
  }
  first_ = nullptr;
  while (pairs != nullptr) {
    Timer* const pair = pairs;
    pairs = std::exchange(pair->next_, nullptr);
    first_ = first_ ? joined(first_, pair) : pair;
  }
  return std::unique_ptr<Timer>(popped);
}

Timer* TimerHeap::take_all() {
  Timer *all = nullptr, *unseen = std::exchange(first_, nullptr);
  while (unseen != nullptr) {
    Timer* const one = unseen;
    unseen = one->next_;
    for (Timer* child = std::exchange(one->child_, nullptr); child != nullptr;) {
      Timer* const next = std::exchange(child->next_, unseen);
      unseen = child;
      child = next;
    }
    one->next_ = all;
    all = one;
  }
  return all;
}

void TimerHeap::forget_unneeded() {
  for (Timer* one = take_all(); one != nullptr;) {
    std::unique_ptr<Timer> timer(one);
    one = one->next_;
    if (timer->is_needed()) push(std::move(timer));
  }
}

void TimerHeap::clear() {
  for (Timer* one = take_all(); one != nullptr;) {
    const std::unique_ptr<Timer> timer(one);
    one = one->next_;
  }
}

void Timers::stop() {
  stopping_.store(true);
  wake();
  if (thread_.joinable()) thread_.join();
  take_added();
  heap_.clear();
}

void Timers::add(std::unique_ptr<Timer> timer) {
  Timer* const one = timer.release();
  one->next_ = added_.load(std::memory_order_relaxed);
  while (!added_.compare_exchange_weak(one->next_, one, std::memory_order_release)) continue;
  wake();
}

void Timers::take_added() {
  for (Timer* one = added_.exchange(nullptr, std::memory_order_acquire); one != nullptr;) {
    std::unique_ptr<Timer> timer(one);
    one = one->next_;
    heap_.push(std::move(timer));
  }
}

void Timers::work() {
  try {
    prepare_();
  } catch (...) {  // the level of the same priority reports why it cannot be set
  }
  os::TimePoint check = os::Clock::now() + step_;
  while (!stopping_.load()) {
    const os::TimePoint now = os::Clock::now();
    take_added();
    if (forgets_.exchange(false)) heap_.forget_unneeded();
    fire_due(now);
    if (check <= now) check = supervise_(now) ? now + step_ : os::no_deadline;
    const os::TimePoint next = heap_.first() ? std::min(check, heap_.first()->due_) : check;
    // A thread that wakes this one may be about to begin a call, which is checked after a step.
    if (wake_up_.wait(next) && check == os::no_deadline) check = os::Clock::now() + step_;
  }
}

void Timers::fire_due(os::TimePoint now) {
  while (heap_.first() && heap_.first()->due_ <= now) {
    std::unique_ptr<Timer> timer = heap_.pop();
    if (fire(*timer, now)) heap_.push(std::move(timer));
  }
}

bool Timers::fire(Timer& timer, os::TimePoint now) {
  if (timer.kind_ == Timer::Kind::deadline) {
    std::int64_t restarted = timer.restarted_.load(std::memory_order_relaxed);
    const os::TimePoint due = os::TimePoint(os::TimePoint::duration(restarted)) + timer.period_;
    if (due > now) {
      timer.due_ = due;
      return true;
    }
    // A restart at this moment counts.
    timer.restarted_.compare_exchange_strong(restarted, timer.due_.time_since_epoch().count());
  }
  if (!timer.fire() || timer.kind_ == Timer::Kind::once) return false;
  timer.due_ += timer.period_;
  if (timer.due_ <= now) timer.due_ = now + timer.period_;
  return true;
}

}  // namespace takt::rt_events
