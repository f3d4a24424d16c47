// The processor time that a rate group needs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "rt/periodic/rate_group.h"
#include "threads/scheduling/reservation.h"

namespace takt::rt {

// The sum of its operations' execution times in each shortest period, within the shortest deadline. This is
// exact if all have the same period, and an upper bound if not. For several schedules, it takes the larger
// sum and the shorter times.
class ReservedTime {
 public:
  explicit ReservedTime(unsigned more_percent) : more_percent_(std::min(more_percent, 1000u)) {}

  // Adds those of `members` with that priority. Throws BAD_PARAM if one has no execution time.
  void add(std::int16_t priority, const std::vector<RateGroup::Member>& members) {
    using std::chrono::nanoseconds;
    nanoseconds runtime{};
    for (const RateGroup::Member& each : members) {
      const auto& operation = each.operation;
      if (!operation || operation->priority != priority) continue;
      const ScheduledOperation& declared = operation->declared();
      if (declared.execution.count() == 0)
        throw CORBA::BAD_PARAM(
            0, CORBA::COMPLETED_NO,
            "operation '" + declared.name +
                "' has no execution time in the schedule for which time could be reserved");
      runtime += declared.execution;
      period_ = std::min(period_, declared.period);
      const auto deadline = declared.deadline.count() > 0 ? declared.deadline : declared.period;
      deadline_ = std::min(deadline_, deadline);
    }
    runtime_ = std::max(runtime_, runtime);
  }
  // Empty if there are no operations.
  std::optional<os::Reservation> of_all() const {
    if (runtime_.count() == 0) return {};
    const auto more = runtime_ / 100 * static_cast<std::int64_t>(more_percent_);
    const auto deadline = std::min(deadline_, period_);
    return os::Reservation{std::min(runtime_ + more, deadline), deadline, period_};
  }

 private:
  const unsigned more_percent_;
  std::chrono::nanoseconds runtime_{}, deadline_ = std::chrono::nanoseconds::max(),
                                       period_ = std::chrono::nanoseconds::max();
};

}  // namespace takt::rt
