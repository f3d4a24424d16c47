// The paper's Scheduler, as a library.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

enum class SchedulingError {
  unknown_task,                  // UNKNOWN_TASK
  not_scheduled,                 // NOT_SCHEDULED: something changed since the last compute_scheduling()
  utilization_bound_exceeded,    // UTILIZATION_BOUND_EXCEEDED: a deadline is not proven to be met
  insufficient_priority_levels,  // INSUFFICIENT_PRIORITY_LEVELS
  task_count_mismatch,  // TASK_COUNT_MISMATCH: nothing to schedule, or an unexpected number of operations
  bad_dependencies      // cycles, operations without a rate, or times that overflow
};
using SchedulingFault = Fault<SchedulingError>;

struct AssignedPriority {
  std::int32_t priority = 0;
  std::int32_t subpriority = 0;
  std::int32_t preemption_priority = 0;
  bool operator==(const AssignedPriority&) const = default;
};

// Holds the RT_Infos of one application and the last schedule: the interface RT_Scheduler::Scheduler without
// the ORB. Not thread-safe. Creating, setting and adding dependencies discards the schedule.
class Scheduler {
 public:
  explicit Scheduler(PriorityOptions options = {}, Repository repository = {})
      : options_(options), repository_(std::move(repository)) {}

  std::expected<Handle, RegistrationFault> create(std::string_view entry_point);
  std::expected<Handle, RegistrationFault> lookup(std::string_view entry_point) const;
  std::expected<const RtInfo*, RegistrationFault> get(Handle handle) const;
  std::expected<void, RegistrationFault> set(Handle handle, const Requirements& requirements);
  std::expected<void, RegistrationFault> add_dependency(Handle handle, Handle dependency,
                                                        std::int64_t number_of_calls,
                                                        DependencyType type = DependencyType::two_way);

  // O(1). A passive operation has the priority of the most urgent thread that calls it, and an operation with
  // a lane that of the lane's most urgent one, at which the lane's thread runs.
  std::expected<AssignedPriority, SchedulingFault> priority(Handle handle) const;
  std::expected<AssignedPriority, SchedulingFault> entry_point_priority(std::string_view entry_point) const;

  // Assigns priorities between the two, of which `maximum` is the more urgent even if it is smaller. If a
  // deadline is missed, returns the error but keeps the analysis and the priorities for a report; priority()
  // then gives NOT_SCHEDULED. With MUF only the critical set must meet its deadlines.
  std::expected<std::vector<RtInfo>, SchedulingFault> compute_scheduling(std::int32_t minimum_priority,
                                                                         std::int32_t maximum_priority);

  const Repository& repository() const { return repository_; }
  // Result of the last compute_scheduling().
  const std::optional<Analysis>& analysis() const { return analysis_; }
  const PriorityOptions& options() const { return options_; }

 private:
  void take_back() { analysis_.reset(), scheduled_ = false; }
  void hand_out(std::int32_t minimum, std::int32_t maximum);

  PriorityOptions options_;
  Repository repository_;
  std::optional<Analysis> analysis_;
  bool scheduled_ = false;
};

}  // namespace takt::scheduling
