// What has become of an operation's releases, whatever the schedules said of it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <takt/rt/schedule.h>

namespace takt::rt {

// Any thread.
class OperationRecord {
 public:
  explicit OperationRecord(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  enum Count : std::uint8_t { begun, overruns, demotions, refusals, deadlines_missed, left_out, failures };
  void count(Count what, std::uint64_t times = 1) {
    counts_[what].fetch_add(times, std::memory_order_relaxed);
  }
  // Of one release, from its arrival.
  void note_begin(std::chrono::nanoseconds after) { raise(latest_begin_, after.count()); }
  void note_end(std::chrono::nanoseconds response, std::chrono::nanoseconds used) {
    raise(longest_response_, response.count());
    raise(longest_execution_, used.count());
  }

  // Overruns that last, and until when requests are refused for those that have ended.
  std::atomic<std::uint32_t> overrunning{0};
  std::int64_t refused_until() const { return refused_until_.load(std::memory_order_relaxed); }
  void refuse_until(std::int64_t at_ns) { raise(refused_until_, at_ns); }

  OperationStatistics statistics() const {
    const auto time = [](const std::atomic<std::int64_t>& most) { return std::chrono::nanoseconds(most); };
    return {.name = name_,
            .begun = counts_[begun],
            .overruns = counts_[overruns],
            .demotions = counts_[demotions],
            .refusals = counts_[refusals],
            .deadlines_missed = counts_[deadlines_missed],
            .releases_left_out = counts_[left_out],
            .failures = counts_[failures],
            .latest_begin = time(latest_begin_),
            .longest_response = time(longest_response_),
            .longest_execution = time(longest_execution_)};
  }

 private:
  static void raise(std::atomic<std::int64_t>& most, std::int64_t to) {
    std::int64_t before = most.load(std::memory_order_relaxed);
    while (before < to && !most.compare_exchange_weak(before, to, std::memory_order_relaxed)) {
    }
  }

  const std::string name_;
  std::atomic<std::uint64_t> counts_[failures + 1]{};
  std::atomic<std::int64_t> latest_begin_{0}, longest_response_{0}, longest_execution_{0};
  std::atomic<std::int64_t> refused_until_{std::numeric_limits<std::int64_t>::min()};
};

}  // namespace takt::rt
