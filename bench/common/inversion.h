// Four clients with four priorities and four rates, each calling an object of its priority (the experiment of
// [Levine 2000], section 3.1.3). All start together, so that calls of several priorities become due at the
// same instant repeatedly.
#pragma once

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "common/levels.h"
#include "common/options.h"
#include "common/priorities.h"
#include "common/record.h"
#include "common/wake_at.h"
#include "common/workload.h"

namespace bench {

struct TimedCall {
  Clock::time_point due, begun, ended;
};

// How many of a client's calls were delayed by less urgent calls.
struct Inversions {
  std::size_t overtaken = 0;  // by a call that began after this one was due and ended before it
  std::size_t blocked = 0;    // by a call that was in progress when this one became due and ended before it
  Clock::duration longest{};  // the longest time for which a call was blocked
};

inline Inversions inversions(const std::vector<TimedCall>& calls, const std::vector<TimedCall>& less_urgent) {
  Inversions found;
  for (const TimedCall& own : calls) {
    bool overtaken = false, blocked = false;
    for (const TimedCall& other : less_urgent) {
      if (other.ended <= own.due || other.ended >= own.ended) continue;
      const bool under_way = other.begun < own.due;
      (under_way ? blocked : overtaken) = true;
      if (under_way) found.longest = std::max(found.longest, other.ended - own.due);
    }
    found.overtaken += overtaken;
    found.blocked += blocked;
  }
  return found;
}

template <class Client>
class InversionDriver {
 public:
  InversionDriver(Client& client, const Options& options)
      : client_(client),
        options_(options),
        faster_(static_cast<int>(options.number("faster", 1))),
        seconds_(options.number("seconds", 10)) {}

  void run() {
    std::barrier ready(rates_hz.size(),
                       [this]() noexcept { start_ = Clock::now() + std::chrono::milliseconds(50); });
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < rates_hz.size(); ++i) threads.emplace_back([&, i] { call(i, ready); });
    }
    for (std::size_t i = 0; i < rates_hz.size(); ++i) print(i);
  }

 private:
  template <class Barrier>
  void call(std::size_t number, Barrier& ready) {
    const auto count = static_cast<std::size_t>(seconds_ * rates_hz[number] * faster_);
    std::vector<TimedCall>& calls = calls_[number];
    calls.resize(count);
    run_at(client_, rate_priorities[number]);
    auto session = client_.connect(endpoint_at(options_.text("endpoint"), number));
    for (std::uint8_t i = 0; i < 20; ++i) check(session.cube_octet(i) == cube(i), "cube_octet");
    ready.arrive_and_wait();
    for (std::size_t i = 0; i < count; ++i) {
      TimedCall& one = calls[i];
      one.due = start_ + std::chrono::nanoseconds(1000000000) * i / (rates_hz[number] * faster_);
      wake_at(one.due);
      const auto x = static_cast<std::uint8_t>(i);
      one.begun = Clock::now();
      check(session.cube_octet(x) == cube(x), "cube_octet returned the wrong value");
      one.ended = Clock::now();
    }
  }

  std::vector<TimedCall> less_urgent_than(std::size_t number) const {
    std::vector<TimedCall> calls;
    for (std::size_t other = number + 1; other < calls_.size(); ++other)
      calls.insert(calls.end(), calls_[other].begin(), calls_[other].end());
    return calls;
  }

  void print(std::size_t number) const {
    Samples answered(calls_[number].size()), called(calls_[number].size());
    for (const TimedCall& one : calls_[number]) {
      answered.add(one.ended - one.due);
      called.add(one.ended - one.begun);
    }
    const Inversions found = inversions(calls_[number], less_urgent_than(number));
    Record(options_.text("peer", "peer"), options_.text("transport", "tcp"), "inversion")
        .number("rate_hz", rates_hz[number])
        .number("priority", rate_priorities[number])
        .latency(called)
        .number("due_mean_ns", answered.mean_ns())
        .number("overtaken", static_cast<double>(found.overtaken))
        .number("blocked", static_cast<double>(found.blocked))
        .number("blocked_longest_ns", seconds_of(found.longest) * 1e9)
        .print();
  }

  Client& client_;
  const Options& options_;
  const int faster_;
  const double seconds_;
  Clock::time_point start_;
  std::array<std::vector<TimedCall>, rates_hz.size()> calls_;
};

}  // namespace bench
