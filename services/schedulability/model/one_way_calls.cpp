#include "schedulability/model/one_way_calls.h"

#include <algorithm>
#include <numeric>

#include "schedulability/model/arrivals.h"
#include "schedulability/model/words.h"

namespace takt::scheduling {

namespace {

constexpr std::int64_t most_intervals = 10'000;

std::string times(std::int64_t count) {
  return count == 1 ? std::string("once") : std::to_string(count) + " times";
}

}  // namespace

// The releases that a callee declares.
struct OneWayCalls::Declared {
  std::int64_t threads = 1, period = 1, burst = 1, distance = 0, jitter = 0;

  // The longest time in which each thread has at most `jobs` releases, without jitter.
  std::int64_t time_of(std::int64_t jobs) const { return begin_of(period, burst, distance, jobs); }
};

void OneWayCalls::add(const Thread& caller, std::int64_t calls) {
  std::int64_t& sum = calls_[{caller.period.count(), caller.burst, caller.distance.count()}];
  sum = takt::scheduling::add(sum, calls);
  const std::int64_t in_period = multiply(calls, caller.burst);
  const auto rate_of = [](std::int64_t count, Time period) {
    return static_cast<long double>(count) / static_cast<long double>(period.count());
  };
  from_several_ |= fastest_ != 0 && fastest_ != caller.entry;
  if (rate_of(in_period, caller.period) <= rate_of(most_, in_)) return;
  fastest_ = caller.entry;
  most_ = in_period;
  in_ = caller.period;
}

std::int64_t OneWayCalls::calls_in(std::int64_t time) const {
  std::int64_t sum = 0;
  for (const auto& [releases, calls] : calls_)
    sum = takt::scheduling::add(
        sum, multiply(calls, jobs_in(releases.period, releases.burst, releases.distance, time)));
  return sum;
}

// Neither side has more in two intervals together than in each of them, so intervals up to the period
// suffice.
std::optional<std::int64_t> OneWayCalls::interval_over(const Declared& declared) const {
  for (std::int64_t jobs = 1; jobs <= declared.burst; ++jobs) {
    const std::int64_t time = declared.time_of(jobs);
    if (declared.distance == 0 && jobs < declared.burst) continue;
    if (calls_in(time) <= multiply(declared.threads, jobs)) continue;
    return declared.jitter == 0 ? time : interval_over_with_jitter(declared);
  }
  return std::nullopt;
}

// Releases that are late let more of them come together. After the hyperperiod everything is repeated.
std::optional<std::int64_t> OneWayCalls::interval_over_with_jitter(const Declared& declared) const {
  std::int64_t all = declared.period;
  for (const auto& [releases, calls] : calls_)
    all = multiply(all / std::gcd(all, releases.period), releases.period);
  const std::int64_t first = multiply(declared.jitter / declared.period, declared.burst);
  for (std::int64_t jobs = std::max<std::int64_t>(1, first); jobs < first + most_intervals; ++jobs) {
    if (declared.distance == 0 && jobs % declared.burst != 0) continue;
    const std::int64_t time = declared.time_of(jobs) - declared.jitter;
    if (time <= 0) continue;
    if (calls_in(time) > multiply(declared.threads, jobs)) return time;
    if (time > all) return std::nullopt;
  }
  return declared.time_of(first + most_intervals);
}

std::string OneWayCalls::advice(const RtInfo& callee) const {
  const std::int64_t period = calls_.begin()->first.period;
  const std::int64_t burst = divide_up(calls_in(period), std::max(1, callee.threads));
  if (burst > most_in_a_burst) return "declare no period";
  return "declare no period, or a period of " + text_of(Time(period)) +
         (burst == 1 && callee.burst == 1 ? "" : " and a burst of " + std::to_string(burst)) +
         (burst > 1 && callee.distance > Time(0) ? " without distance" : "");
}

std::optional<GraphFault> OneWayCalls::compare(const Repository& repository, const RtInfo& callee,
                                               Time period) const {
  if (calls_.empty()) return std::nullopt;
  const Declared declared{std::max(1, callee.threads), period.count(), callee.burst, callee.distance.count(),
                          callee.jitter.count()};
  const auto interval = interval_over(declared);
  if (!interval) return std::nullopt;
  const std::int64_t calls = calls_in(*interval);
  return GraphFault{GraphError::rate, callee.entry_point, most_,
                    "operation '" + callee.entry_point + "' is called one way " + times(most_) + " every " +
                        text_of(in_) + " by '" + repository[fastest_].entry_point + "'" +
                        (from_several_ ? " and also by others" : "") + ", so " + times(calls) + " within " +
                        text_of(Time(*interval)) + ", but is declared to run " +
                        times(declared.threads * callee.burst) + " every " + text_of(period) +
                        (callee.distance > Time(0) ? ", " + text_of(callee.distance) + " apart" : "") +
                        ", which is all that would be analysed; " + advice(callee)};
}

}  // namespace takt::scheduling
