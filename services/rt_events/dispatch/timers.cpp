#include "rt_events/dispatch/timers.h"

#include <algorithm>
#include <utility>

namespace takt::rt_events {

void Timers::stop() {
  stopping_.store(true);
  wake();
  if (thread_.joinable()) thread_.join();
  take_added();
  heap_.clear();
}

void Timers::add(std::unique_ptr<Timer> timer) {
  Timer* const one = timer.release();
  one->next_added_ = added_.load(std::memory_order_relaxed);
  while (!added_.compare_exchange_weak(one->next_added_, one, std::memory_order_release)) continue;
  wake();
}

void Timers::take_added() {
  for (Timer* one = added_.exchange(nullptr, std::memory_order_acquire); one != nullptr;) {
    heap_.emplace_back(one);
    one = std::exchange(one->next_added_, nullptr);
    std::ranges::push_heap(heap_, is_later);
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
    forget_unneeded();
    fire_due(now);
    if (check <= now) check = supervise_(now) ? now + step_ : os::no_deadline;
    const os::TimePoint next = heap_.empty() ? check : std::min(check, heap_.front()->due_);
    // A thread that wakes this one may be about to begin a call, which is checked after a step.
    if (wake_up_.wait(next) && check == os::no_deadline) check = os::Clock::now() + step_;
  }
}

void Timers::forget_unneeded() {
  if (!forgets_.exchange(false)) return;
  if (std::erase_if(heap_, [](const auto& timer) { return !timer->is_needed(); }) > 0)
    std::ranges::make_heap(heap_, is_later);
}

void Timers::fire_due(os::TimePoint now) {
  while (!heap_.empty() && heap_.front()->due_ <= now) {
    std::ranges::pop_heap(heap_, is_later);
    if (fire(*heap_.back(), now))
      std::ranges::push_heap(heap_, is_later);
    else
      heap_.pop_back();
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
