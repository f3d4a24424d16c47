// One-way calls of an operation that has a rate of its own, and whether that rate allows them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "schedulability/model/repository.h"
#include "schedulability/model/threads.h"

namespace takt::scheduling {

// The calls of one operation by all threads.
class OneWayCalls {
 public:
  // `calls`: of one job of the caller, with the threads that it stands for.
  void add(const Thread& caller, std::int64_t calls);

  // An operation that begins a thread is analysed at its own rate, whatever its callers' rates are: in any
  // interval, no more calls may come than that rate has releases. Calls of one job, and of jobs of several
  // callers, may come at once. How much a caller's responses vary is not counted: the callee's jitter
  // declares that. Empty if the calls fit; otherwise a text that says what to declare. `period` is the
  // operation's, with that of its callees. Also refuses calls that need too many steps to compare.
  std::optional<GraphFault> compare(const Repository& repository, const RtInfo& callee, Time period) const;

 private:
  struct Releases {
    std::int64_t period, burst, distance;
    auto operator<=>(const Releases&) const = default;
  };
  struct Declared;

  // The most calls in an interval.
  std::int64_t calls_in(std::int64_t time) const;
  // The first interval with more calls than declared jobs.
  std::optional<std::int64_t> interval_over(const Declared& declared) const;
  std::optional<std::int64_t> interval_over_with_jitter(const Declared& declared) const;
  std::string advice(const RtInfo& callee) const;

  std::map<Releases, std::int64_t> calls_;  // how many one job of each such caller makes
  Handle fastest_ = 0;                      // the caller with the most of them: `most_` in each `in_`
  std::int64_t most_ = 0;
  Time in_{1};
  bool from_several_ = false;
};

}  // namespace takt::scheduling
