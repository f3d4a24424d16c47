#include "scheduling/service/registration.h"

#include <algorithm>
#include <limits>
#include <string>

#include "schedulability/model/declaration.h"

namespace takt::scheduling {
namespace {

using rt::DeclaredOperation;

std::int32_t handle_of(RT_Scheduler::Scheduler& scheduler, const std::string& name) {
  try {
    return scheduler.create(name);
  } catch (const RT_Scheduler::DUPLICATE_NAME&) {
    return scheduler.lookup(name);
  }
}

[[noreturn]] void refuse(const DeclaredOperation& operation, const std::string& why) {
  throw RT_Scheduler::BAD_REQUIREMENTS("operation '" + std::string(operation.name) + "': " + why);
}

RT_Scheduler::Time more(Time time) { return static_cast<RT_Scheduler::Time>(units_up(time)); }
RT_Scheduler::Time less(Time time) { return static_cast<RT_Scheduler::Time>(units_down(time)); }

RT_Scheduler::Period period_of(const DeclaredOperation& operation) {
  const std::int64_t units = units_down(operation.period);
  if (units > std::numeric_limits<RT_Scheduler::Period>::max() || (units == 0 && operation.period > Time(0)))
    refuse(operation, "its period, " + std::to_string(operation.period.count()) +
                          " ns, is outside the range of RT_Scheduler::Period, 100 ns to 214 s");
  return static_cast<RT_Scheduler::Period>(units);
}

void set(RT_Scheduler::Scheduler& scheduler, std::int32_t handle, const DeclaredOperation& operation) {
  scheduler.set(handle, more(operation.wcet), more(operation.typical), more(operation.cached),
                period_of(operation), static_cast<RT_Scheduler::Importance>(operation.importance),
                more(operation.quantum), operation.threads);
  scheduler.set_criticality(handle, static_cast<RT_Scheduler::Criticality>(operation.criticality));
  scheduler.set_constraints(handle, {less(operation.deadline), more(operation.phase), more(operation.jitter),
                                     more(operation.blocking), operation.processor});
}

// An operation or call that was registered before but is no longer declared cannot be removed.
void check_known(const DeclaredOperation& operation, std::size_t known, std::size_t declared) {
  if (known != declared)
    refuse(operation, "its registered calls differ from the declared ones; begin with an empty store");
}

void depend(RT_Scheduler::Scheduler& scheduler, std::int32_t handle, const DeclaredOperation& operation) {
  const RT_Scheduler::Dependency_Set known = scheduler.get(handle).dependencies_();
  std::size_t found = 0;
  for (const rt::DeclaredCall& call : operation.calls) {
    const std::int32_t callee = handle_of(scheduler, std::string(call.operation));
    const auto type = call.one_way ? RT_Scheduler::Dependency_Type::ONE_WAY_CALL
                                   : RT_Scheduler::Dependency_Type::TWO_WAY_CALL;
    const bool is_there = std::ranges::any_of(known, [&](const RT_Scheduler::Dependency_Info& each) {
      return each.rt_info() == callee && each.number_of_calls() == call.times && each.type() == type;
    });
    if (is_there)
      ++found;
    else if (call.one_way)
      scheduler.add_one_way_dependency(handle, callee, call.times);
    else
      scheduler.add_dependency(handle, callee, call.times);
  }
  check_known(operation, known.size(), found);
}

}  // namespace

void register_operations(RT_Scheduler::Scheduler& scheduler, std::span<const DeclaredOperation> operations) {
  for (const DeclaredOperation& each : operations)
    set(scheduler, handle_of(scheduler, std::string(each.name)), each);
  for (const DeclaredOperation& each : operations)
    depend(scheduler, scheduler.lookup(std::string(each.name)), each);
}

}  // namespace takt::scheduling
