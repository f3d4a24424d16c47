// Statistics and rate state of an operation, which persist across schedules.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <takt/base/atomic_maximum.h>
#include <takt/rt/schedule.h>

#include "base/time_histogram.h"
#include "concurrency/strategy/read_delay.h"
#include "rt/operations/client_rates.h"

namespace takt::rt {

// Any thread.
class OperationRecord {
 public:
  explicit OperationRecord(std::string name, bool keeps_responses = false)
      : name_(std::move(name)), responses_(keeps_responses ? std::make_unique<TimeHistogram>() : nullptr) {}

  const std::string& name() const { return name_; }

  enum Count : std::uint8_t {
    begun,
    overruns,
    demotions,
    refusals,
    deadlines_missed,
    left_out,
    failures,
    early
  };
  void count(Count what, std::uint64_t times = 1) {
    counts_[what].fetch_add(times, std::memory_order_relaxed);
  }
  // Times of one release, from its arrival.
  void note_begin(std::chrono::nanoseconds after) { raise_to(latest_begin_, after.count()); }
  void note_end(std::chrono::nanoseconds response, std::chrono::nanoseconds used) {
    raise_to(longest_response_, response.count());
    raise_to(longest_execution_, used.count());
    if (responses_) responses_->add(response);
  }
  // The responses noted so far; null if they are not kept.
  const TimeHistogram* responses() const { return responses_.get(); }

  // Number of overruns in progress, and the end of the suspension after past ones.
  std::atomic<std::uint32_t> overrunning{0};
  std::int64_t refused_until() const { return refused_until_.load(std::memory_order_relaxed); }
  void refuse_until(std::int64_t at_ns) { raise_to(refused_until_, at_ns); }

  // Checks a request at `at_ns`, with one allowed every `period_ns`, up to `ahead_ns` early. Returns by how
  // much it came too early; 0 if it conforms. Requests that do not conform do not delay later ones. This is
  // the generic cell rate algorithm of ITU-T I.371, whose state is the time when the next request is
  // expected.
  std::int64_t early_by(std::int64_t at_ns, std::int64_t period_ns, std::int64_t ahead_ns) {
    std::int64_t expected = expected_at_.load(std::memory_order_relaxed);
    for (;;) {
      if (expected - ahead_ns > at_ns) return expected - ahead_ns - at_ns;
      const std::int64_t next = std::max(expected, at_ns) + period_ns;
      if (expected_at_.compare_exchange_weak(expected, next, std::memory_order_relaxed)) return 0;
    }
  }

  // When connections are read again whose requests for it were refused.
  server::RefusalTurns refusal_turns;
  // Clients that declare a period.
  ClientRates& clients() { return clients_; }

  OperationStatistics statistics() const {
    const auto time = [](const std::atomic<std::int64_t>& most) { return std::chrono::nanoseconds(most); };
    return {.name = name_,
            .begun = counts_[begun],
            .overruns = counts_[overruns],
            .demotions = counts_[demotions],
            .refusals = counts_[refusals],
            .early = counts_[early],
            .deadlines_missed = counts_[deadlines_missed],
            .releases_left_out = counts_[left_out],
            .failures = counts_[failures],
            .latest_begin = time(latest_begin_),
            .longest_response = time(longest_response_),
            .longest_execution = time(longest_execution_)};
  }

 private:
  const std::string name_;
  const std::unique_ptr<TimeHistogram> responses_;
  std::atomic<std::uint64_t> counts_[early + 1]{};
  std::atomic<std::int64_t> latest_begin_{0}, longest_response_{0}, longest_execution_{0};
  std::atomic<std::int64_t> expected_at_{0};  // when the next request conforms without tolerance
  ClientRates clients_;
  std::atomic<std::int64_t> refused_until_{0};
};

}  // namespace takt::rt
