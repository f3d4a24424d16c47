#include "transport/shm/poll_pace.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <takt/transport/stream_options.h>

namespace takt::transport {

namespace {

// Until when the polls of the process have used up their share, in nanoseconds of the clock.
std::atomic<std::int64_t> used_until{0};

std::int64_t in_ns(os::TimePoint time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

void use(os::TimePoint began, std::chrono::nanoseconds time, int share) {
  const std::int64_t cost = time.count() * 100 / share;
  std::int64_t until = used_until.load(std::memory_order_relaxed);
  while (!used_until.compare_exchange_weak(until, std::max(until, in_ns(began)) + cost,
                                           std::memory_order_relaxed)) {
  }
}

}  // namespace

void PollPace::set(std::chrono::microseconds time, int share) {
  adapts_ = time == StreamOptions::adaptive_poll;
  time_ = adapts_ ? longest : time;
  share_ = std::clamp(share, 1, 100);
}

std::chrono::nanoseconds PollPace::begin_adaptive(os::TimePoint now) {
  if (skips_ != 0) {
    --skips_;
    return {};
  }
  const bool used_up = used_until.load(std::memory_order_relaxed) > in_ns(now + burst);
  return used_up ? std::chrono::nanoseconds() : time_;
}

void PollPace::end_adaptive(os::TimePoint began, bool found) {
  use(began, os::Clock::now() - began, share_);
  if (found) {
    next_skips_ = 1;
    return;
  }
  skips_ = next_skips_;
  next_skips_ = std::min(2 * next_skips_, most_skipped);
}

}  // namespace takt::transport
