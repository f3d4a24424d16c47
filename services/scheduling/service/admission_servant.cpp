#include "scheduling/service/admission_servant.h"

#include <limits>

#include "scheduling/service/time_units.h"

namespace takt::scheduling {
namespace {

[[noreturn]] void refuse(const LiveFault& fault) {
  switch (fault.kind) {
    case LiveError::not_feasible:
    case LiveError::too_many:
      throw RT_Scheduler::NOT_ADMITTED(
          fault.text, fault.operation,
          fault.kind == LiveError::not_feasible && fault.number > 0 ? units_of(Time(fault.number)) : 0);
    case LiveError::bad_operations:
      throw RT_Scheduler::BAD_REQUIREMENTS(fault.text);
    case LiveError::unknown_client:
      throw RT_Scheduler::UNKNOWN_CLIENT(fault.text);
    case LiveError::not_taken:
      throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, fault.text);
    case LiveError::out_of_order:
      break;
  }
  throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, fault.text);
}

Declaration declaration_of(const RT_Scheduler::Operation_Needs& needs) {
  Declaration made;
  made.name = needs.entry_point_();
  made.where = "admit";
  Requirements& wanted = made.needs;
  wanted.worstcase_execution_time = time_of_units(needs.worstcase_execution_time_());
  wanted.period = time_of_units(needs.release_period_());
  wanted.importance = static_cast<Importance>(needs.importance_());
  wanted.criticality = static_cast<Criticality>(needs.criticality_());
  const RT_Scheduler::Constraints& limits = needs.constraints_();
  wanted.deadline = time_of_units(limits.deadline());
  wanted.phase = time_of_units(limits.phase());
  wanted.jitter = time_of_units(limits.jitter());
  wanted.blocking = time_of_units(limits.blocking());
  wanted.processor = limits.processor();
  for (const std::string_view key : declaration_keys) made.note(key);
  for (const RT_Scheduler::Named_Call& each : needs.calls_())
    made.calls.push_back({.operation = each.operation_(),
                          .times = each.number_of_calls_(),
                          .type = each.type_() == RT_Scheduler::Dependency_Type::TWO_WAY_CALL
                                      ? DependencyType::two_way
                                      : DependencyType::one_way,
                          .where = "admit"});
  return made;
}

}  // namespace

AdmissionServant::AdmissionServant(LiveSchedule& schedule) : schedule_(schedule) {
  if (schedule_.lease() > std::chrono::nanoseconds::zero())
    releasing_ = std::jthread([this](const std::stop_token& stop) { release_expired(stop); });
}

// A lease that begins while this thread sleeps ends after it has woken up.
void AdmissionServant::release_expired(const std::stop_token& stop) {
  using Clock = LiveSchedule::Clock;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const Clock::time_point now = Clock::now();
    const auto next = schedule_.release_expired(now).value_or(now + schedule_.lease());
    ending_.wait_until(lock, stop, next, [] { return false; });
  }
}

std::uint64_t AdmissionServant::admit(const std::string& client,
                                      const RT_Scheduler::Operation_Needs_Set& operations,
                                      RT_Scheduler::Assigned_Priority_Set& priorities) {
  std::vector<Declaration> declarations;
  for (const RT_Scheduler::Operation_Needs& each : operations) declarations.push_back(declaration_of(each));
  const auto admitted = schedule_.admit(client, std::move(declarations));
  if (!admitted) refuse(admitted.error());
  for (const auto& [name, assigned] : admitted->priorities)
    priorities.push_back({name, assigned.priority, assigned.subpriority, assigned.preemption_priority});
  return admitted->id;
}

void AdmissionServant::release(std::uint64_t client) {
  const LiveSchedule::Done done = schedule_.release(client);
  if (!done) refuse(done.error());
}

std::uint64_t AdmissionServant::lease() { return units_of(schedule_.lease()); }

void AdmissionServant::renew(std::uint64_t client) {
  const LiveSchedule::Done done = schedule_.renew(client);
  if (!done) refuse(done.error());
}

std::int32_t AdmissionServant::clients() {
  const std::size_t count = schedule_.statistics().clients;
  return static_cast<std::int32_t>(std::min<std::size_t>(count, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace takt::scheduling
