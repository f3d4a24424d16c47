// One operation of a schedule, and what has become of its requests.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

#include <takt/rt/schedule.h>

#include "connection/server/queued/order/request_timing.h"

namespace takt::rt {

using Clock = std::chrono::steady_clock;

// Any thread; its declaration does not change.
class alignas(64) Operation final : public connection::RequestTiming {
 public:
  explicit Operation(ScheduledOperation declared) : declared_(std::move(declared)) {
    priority = declared_.priority;
    sub_priority = declared_.sub_priority;
    deadline = declared_.deadline;
    execution = declared_.execution;
    critical = declared_.critical;
  }

  const ScheduledOperation& declared() const { return declared_; }
  bool has_budget() const { return execution.count() > 0; }
  bool acts_on_overrun() const { return declared_.on_overrun != OnOverrun::count; }

  // Whether requests for it are refused now; counts those that are.
  bool refuses(Clock::time_point now) {
    if (declared_.on_overrun != OnOverrun::refuse) return false;
    if (overrunning_.load(std::memory_order_relaxed) == 0 &&
        now.time_since_epoch().count() >= refused_until_.load(std::memory_order_relaxed))
      return false;
    count(refusals_);
    return true;
  }

  void begin() { count(begun_); }
  void miss() { count(missed_); }
  void demoted() { count(demotions_); }
  void overrun_begins() { overrunning_.fetch_add(1, std::memory_order_relaxed); }
  void overrun_ends() { overrunning_.fetch_sub(1, std::memory_order_relaxed); }
  void overrun() { count(overruns_); }
  // So much was used by an upcall that began then: the operation rests as long as that would have taken at
  // its share of the processor, and at least as long as no other upcall has it rest longer.
  void pay_back(Clock::time_point begun, std::chrono::nanoseconds used) {
    const double periods = static_cast<double>(used.count()) / static_cast<double>(execution.count());
    const double rest = std::min(periods * static_cast<double>(declared_.period.count()), longest_rest_ns);
    raise(refused_until_, begun.time_since_epoch().count() + static_cast<std::int64_t>(rest));
  }
  void end(std::chrono::nanoseconds response, std::chrono::nanoseconds used) {
    raise(longest_response_, response.count());
    raise(longest_execution_, used.count());
  }

  OperationStatistics statistics() const {
    return {.name = declared_.name,
            .begun = begun_,
            .overruns = overruns_,
            .demotions = demotions_,
            .refusals = refusals_,
            .deadlines_missed = missed_,
            .longest_response = std::chrono::nanoseconds(longest_response_),
            .longest_execution = std::chrono::nanoseconds(longest_execution_)};
  }

 private:
  using Counter = std::atomic<std::uint64_t>;
  static constexpr double longest_rest_ns = 3.6e12;  // an hour, whatever the upcall did
  static void count(Counter& counter) { counter.fetch_add(1, std::memory_order_relaxed); }
  static void raise(std::atomic<std::int64_t>& most, std::int64_t to) {
    std::int64_t before = most.load(std::memory_order_relaxed);
    while (before < to && !most.compare_exchange_weak(before, to, std::memory_order_relaxed)) {
    }
  }

  const ScheduledOperation declared_;
  Counter begun_{0}, overruns_{0}, demotions_{0}, refusals_{0}, missed_{0};
  std::atomic<std::int64_t> longest_response_{0}, longest_execution_{0};
  std::atomic<std::int64_t> refused_until_{std::numeric_limits<std::int64_t>::min()};
  std::atomic<std::uint32_t> overrunning_{0};
};

}  // namespace takt::rt
