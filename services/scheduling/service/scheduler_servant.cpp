#include "scheduling/service/scheduler_servant.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "scheduling/output/report.h"
#include "scheduling/service/time_units.h"

namespace takt::scheduling {
namespace {

using RT_Scheduler::RT_Info;

[[noreturn]] void refuse(const RegistrationFault& fault) {
  switch (fault.kind) {
    case RegistrationError::duplicate_name:
      throw RT_Scheduler::DUPLICATE_NAME(fault.text);
    case RegistrationError::unknown_task:
      throw RT_Scheduler::UNKNOWN_TASK(fault.text);
    default:
      throw RT_Scheduler::BAD_REQUIREMENTS(fault.text);
  }
}

[[noreturn]] void refuse(const SchedulingFault& fault) {
  switch (fault.kind) {
    case SchedulingError::unknown_task:
      throw RT_Scheduler::UNKNOWN_TASK(fault.text);
    case SchedulingError::not_scheduled:
      throw RT_Scheduler::NOT_SCHEDULED(fault.text);
    case SchedulingError::utilization_bound_exceeded:
      throw RT_Scheduler::UTILIZATION_BOUND_EXCEEDED(fault.text);
    case SchedulingError::insufficient_priority_levels:
      throw RT_Scheduler::INSUFFICIENT_PRIORITY_LEVELS(fault.text);
    case SchedulingError::task_count_mismatch:
      throw RT_Scheduler::TASK_COUNT_MISMATCH(fault.text);
    case SchedulingError::bad_dependencies:
      break;
  }
  throw RT_Scheduler::BAD_DEPENDENCIES(fault.text);
}

template <class Value, class Kind>
Value taken(std::expected<Value, Fault<Kind>>&& result) {
  if (!result) refuse(result.error());
  if constexpr (!std::is_void_v<Value>) return std::move(*result);
}

RT_Scheduler::Constraints constraints_of(const RtInfo& info) {
  return {units_of(info.deadline), units_of(info.phase), units_of(info.jitter), units_of(info.blocking),
          info.processor};
}

RT_Info rt_info_of(const RtInfo& info) {
  RT_Info result;
  result.entry_point_(info.entry_point);
  result.handle_(info.handle);
  result.worstcase_execution_time_(units_of(info.worstcase_execution_time));
  result.typical_execution_time_(units_of(info.typical_execution_time));
  result.cached_execution_time_(units_of(info.cached_execution_time));
  result.period_(static_cast<std::int32_t>(
      std::min<std::uint64_t>(units_of(info.period), std::numeric_limits<std::int32_t>::max())));
  result.importance_(static_cast<RT_Scheduler::Importance>(info.importance));
  result.quantum_(units_of(info.quantum));
  result.threads_(info.threads);
  for (const DependencyInfo& one : info.dependencies)
    result.dependencies_().push_back({static_cast<std::int32_t>(one.number_of_calls), one.rt_info,
                                      one.type == DependencyType::two_way
                                          ? RT_Scheduler::Dependency_Type::TWO_WAY_CALL
                                          : RT_Scheduler::Dependency_Type::ONE_WAY_CALL});
  result.priority_(info.priority);
  result.subpriority_(info.subpriority);
  result.preemption_priority_(info.preemption_priority);
  result.criticality_(static_cast<RT_Scheduler::Criticality>(info.criticality));
  result.constraints_(constraints_of(info));
  return result;
}

RT_Scheduler::RT_Info_Set rt_infos_of(std::span<const RtInfo> infos) {
  RT_Scheduler::RT_Info_Set result;
  result.reserve(infos.size());
  for (const RtInfo& info : infos) result.push_back(rt_info_of(info));
  return result;
}

}  // namespace

const RtInfo& SchedulerServant::known(Handle handle) const { return *taken(scheduler_.get(handle)); }

void SchedulerServant::require_store() const {
  if (store_failed_)
    throw CORBA::PERSIST_STORE(
        0, CORBA::COMPLETED_NO,
        "a registration could not be stored before; the service's own output says why: mend that, "
        "and start it again");
}

void SchedulerServant::require_written(const std::expected<void, std::string>& written) {
  if (written) return;
  store_failed_ = true;
  std::fprintf(stderr, "takt: the scheduling service cannot store a registration: %s\n",
               written.error().c_str());
  throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_MAYBE,
                             "the registration cannot be stored; the service's own output says why");
}

void SchedulerServant::keep(Handle handle) {
  if (store_) require_written(store_->write(known(handle)));
}

void SchedulerServant::change(Handle handle, const Requirements& needs) {
  require_store();
  taken(scheduler_.set(handle, needs));
  keep(handle);
}

void SchedulerServant::depend(Handle handle, Handle dependency, std::int64_t calls, DependencyType type) {
  const std::lock_guard lock(mutex_);
  require_store();
  taken(scheduler_.add_dependency(handle, dependency, calls, type));
  if (store_) require_written(store_->write_last_dependency(known(handle)));
}

std::int32_t SchedulerServant::create(const std::string& entry_point) {
  const std::lock_guard lock(mutex_);
  require_store();
  const Handle handle = taken(scheduler_.create(entry_point));
  keep(handle);
  return handle;
}

std::int32_t SchedulerServant::lookup(const std::string& entry_point) {
  const std::lock_guard lock(mutex_);
  return taken(scheduler_.lookup(entry_point));
}

RT_Info SchedulerServant::get(std::int32_t handle) {
  const std::lock_guard lock(mutex_);
  return rt_info_of(known(handle));
}

void SchedulerServant::set(std::int32_t handle, RT_Scheduler::Time time, RT_Scheduler::Time typical_time,
                           RT_Scheduler::Time cached_time, RT_Scheduler::Period period,
                           RT_Scheduler::Importance importance, RT_Scheduler::Quantum quantum,
                           std::int32_t threads) {
  const std::lock_guard lock(mutex_);
  Requirements needs = known(handle);
  needs.worstcase_execution_time = time_of_units(time);
  needs.typical_execution_time = time_of_units(typical_time);
  needs.cached_execution_time = time_of_units(cached_time);
  needs.period = Time(std::int64_t{period} * time_unit_ns);
  needs.importance = static_cast<Importance>(importance);
  needs.quantum = time_of_units(quantum);
  needs.threads = threads;
  change(handle, needs);
}

void SchedulerServant::set_criticality(std::int32_t handle, RT_Scheduler::Criticality criticality) {
  const std::lock_guard lock(mutex_);
  Requirements needs = known(handle);
  needs.criticality = static_cast<Criticality>(criticality);
  change(handle, needs);
}

void SchedulerServant::set_constraints(std::int32_t handle, const RT_Scheduler::Constraints& constraints) {
  const std::lock_guard lock(mutex_);
  Requirements needs = known(handle);
  needs.deadline = time_of_units(constraints.deadline());
  needs.phase = time_of_units(constraints.phase());
  needs.jitter = time_of_units(constraints.jitter());
  needs.blocking = time_of_units(constraints.blocking());
  needs.processor = constraints.processor();
  change(handle, needs);
}

void SchedulerServant::add_dependency(std::int32_t handle, std::int32_t dependency,
                                      std::int32_t number_of_calls) {
  depend(handle, dependency, number_of_calls, DependencyType::two_way);
}

void SchedulerServant::add_one_way_dependency(std::int32_t handle, std::int32_t dependency,
                                              std::int32_t number_of_calls) {
  depend(handle, dependency, number_of_calls, DependencyType::one_way);
}

void SchedulerServant::priority(std::int32_t handle, std::int32_t& priority, std::int32_t& subpriority,
                                std::int32_t& p_priority) {
  const std::lock_guard lock(mutex_);
  const AssignedPriority assigned = taken(scheduler_.priority(handle));
  priority = assigned.priority;
  subpriority = assigned.subpriority;
  p_priority = assigned.preemption_priority;
}

void SchedulerServant::entry_point_priority(const std::string& entry_point, std::int32_t& priority,
                                            std::int32_t& subpriority, std::int32_t& p_priority) {
  this->priority(lookup(entry_point), priority, subpriority, p_priority);
}

void SchedulerServant::compute_scheduling(std::int32_t minimum_priority, std::int32_t maximum_priority,
                                          RT_Scheduler::RT_Info_Set& infos) {
  const std::lock_guard lock(mutex_);
  infos = rt_infos_of(taken(scheduler_.compute_scheduling(minimum_priority, maximum_priority)));
}

std::int32_t SchedulerServant::operations() {
  const std::lock_guard lock(mutex_);
  return static_cast<std::int32_t>(scheduler_.repository().infos().size());
}

RT_Scheduler::RT_Info_Set SchedulerServant::all() {
  const std::lock_guard lock(mutex_);
  return rt_infos_of(scheduler_.repository().infos());
}

std::string SchedulerServant::report() {
  const std::lock_guard lock(mutex_);
  if (!scheduler_.analysis())
    throw RT_Scheduler::NOT_SCHEDULED("there is no analysis since the last change: call compute_scheduling");
  return takt::scheduling::report(scheduler_.repository(), *scheduler_.analysis());
}

}  // namespace takt::scheduling
