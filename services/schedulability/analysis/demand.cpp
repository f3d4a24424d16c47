#include "schedulability/analysis/demand.h"

#include <algorithm>
#include <cmath>

#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

class DemandAnalysis {
 public:
  explicit DemandAnalysis(std::span<const DemandLoad> loads) : loads_(loads) {
    for (const DemandLoad& load : loads) {
      used_ += static_cast<long double>(load.execution) / static_cast<long double>(load.period);
      blocking_ = std::max(blocking_, load.blocking);
      least_ = std::min(least_, first_deadline(load));
      ample_ = ample_ && first_deadline(load) >= load.period;
    }
  }

  Demand analyse() const {
    if (used_ > 1.0L + 1e-12L) return {DemandVerdict::exceeded, 0, 0};
    // A job released with maximum jitter must fit into the time that is left before its deadline.
    for (const DemandLoad& load : loads_)
      if (first_deadline(load) < load.execution)
        return {DemandVerdict::exceeded, std::max<std::int64_t>(first_deadline(load), 1), load.execution};
    if (ample_ && blocking_ == 0 && used_ <= 1.0L) return {};
    const std::int64_t end = std::min(busy_period(), long_run());
    if (end == unbounded) return {DemandVerdict::unknown, 0, 0};
    return backwards(end);
  }

  std::optional<std::int64_t> first_overload(std::int64_t before) const {
    std::int64_t time = least_;
    for (std::size_t steps = 0; time < before; steps += loads_.size() + 1) {
      if (steps >= most_steps) return std::nullopt;
      if (needed_until(time, false) > time) return time;
      time = deadline_after(time);
    }
    return before;
  }

 private:
  std::int64_t busy_period() const {
    std::int64_t window = blocking_ + 1;
    for (std::size_t steps = 0; steps < most_steps; steps += loads_.size() + 1) {
      std::int64_t next = blocking_;
      for (const DemandLoad& load : loads_)
        next = add(next, multiply(divide_up(add(window, load.jitter), load.period), load.execution));
      if (next <= window) return window;
      if (next == unbounded) break;
      window = next;
    }
    return unbounded;
  }

  // Beyond this time the long-run demand is below the available time: sum((T + J - D) U) / (1 - U), and at
  // least any deadline's excess over its period.
  std::int64_t long_run() const {
    const long double left = 1.0L - used_;
    if (left < 1e-9L) return unbounded;
    long double sum = static_cast<long double>(blocking_), most = 1;
    for (const DemandLoad& load : loads_) {
      const auto late = static_cast<long double>(load.period - first_deadline(load));
      most = std::max(most, -late);
      sum += std::max(0.0L, late) * static_cast<long double>(load.execution) /
             static_cast<long double>(load.period);
    }
    const long double end = std::ceil(std::max(most, sum / left) * (1.0L + 1e-9L)) + 1;
    return end > 4e18L ? unbounded : static_cast<std::int64_t>(end);
  }

  std::int64_t needed_until(std::int64_t time, bool with_blocking) const {
    std::int64_t sum = 0, blocking = 0;
    for (const DemandLoad& load : loads_) {
      const std::int64_t first = first_deadline(load);
      if (first > time) continue;
      sum = add(sum, multiply((time - first) / load.period + 1, load.execution));
      blocking = std::max(blocking, load.blocking);
    }
    return with_blocking ? add(sum, blocking) : sum;
  }

  // The last deadline before `time`; -1 if there is none.
  std::int64_t deadline_before(std::int64_t time) const {
    std::int64_t last = -1;
    for (const DemandLoad& load : loads_) {
      const std::int64_t first = first_deadline(load);
      if (first < time) last = std::max(last, first + (time - 1 - first) / load.period * load.period);
    }
    return last;
  }

  std::int64_t deadline_after(std::int64_t time) const {
    std::int64_t next = unbounded;
    for (const DemandLoad& load : loads_) {
      const std::int64_t first = first_deadline(load);
      next = std::min(next, first > time ? first : add(time, load.period - (time - first) % load.period));
    }
    return next;
  }

  Demand backwards(std::int64_t end) const {
    std::int64_t time = deadline_before(add(end, 1));
    for (std::size_t steps = 0; steps < most_steps; steps += loads_.size() + 1) {
      if (time < least_) return {};
      const std::int64_t needed = needed_until(time, true);
      if (needed > time) {
        const bool surely = needed_until(time, false) > time;
        return {surely ? DemandVerdict::exceeded : DemandVerdict::blocked, time, needed};
      }
      if (needed <= least_) return {};
      time = needed < time ? needed : deadline_before(time);
    }
    return {DemandVerdict::unknown, 0, 0};
  }

  static constexpr std::size_t most_steps = 100'000'000;

  std::span<const DemandLoad> loads_;
  long double used_ = 0;
  std::int64_t blocking_ = 0;
  std::int64_t least_ = unbounded;  // the earliest first deadline
  bool ample_ = true;               // no deadline is before the end of its period
};

}  // namespace

Demand processor_demand(std::span<const DemandLoad> loads) { return DemandAnalysis(loads).analyse(); }

std::optional<std::int64_t> first_overload(std::span<const DemandLoad> loads, std::int64_t before) {
  return DemandAnalysis(loads).first_overload(before);
}

}  // namespace takt::scheduling
