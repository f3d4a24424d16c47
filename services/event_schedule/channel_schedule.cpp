#include "event_schedule/channel_schedule.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "events/delivery/with_timeout.h"

namespace takt::rt_events {
namespace {

using RT_Scheduler::Dependency_Type;
// The unit of RT_Scheduler.
using Unit = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;

constexpr std::size_t most_said = 1'000;
constexpr int calls_of_a_connection = 4;             // that may each take as long as a call may
constexpr std::size_t most_comparisons = 1'000'000;  // for a connection
// RT_Scheduler::Period is a long.
constexpr std::chrono::nanoseconds longest_period = Unit(std::numeric_limits<RT_Scheduler::Period>::max());

// Exact: it is part of the names of timers.
std::string text_of(std::chrono::nanoseconds time) {
  for (const auto& [unit, name] : {std::pair(1'000'000, " ms"), {1'000, " us"}})
    if (time.count() % unit == 0) return std::to_string(time.count() / unit) + name;
  return std::to_string(time.count()) + " ns";
}

std::int32_t calls_from(std::int64_t times) {
  return static_cast<std::int32_t>(std::min<std::int64_t>(times, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

std::expected<std::shared_ptr<ChannelSchedule>, std::string> ChannelSchedule::read(
    const SchedulerRef& scheduler, std::string channel, const FilterLimits& filters, Report report,
    std::chrono::milliseconds call_timeout) {
  try {
    const auto bounded =
        IDL::traits<RT_Scheduler::Scheduler>::unchecked_narrow(events::with_timeout(scheduler, call_timeout));
    std::shared_ptr<ChannelSchedule> schedule(new ChannelSchedule(
        bounded, std::move(channel), filters, std::move(report), calls_of_a_connection * call_timeout));
    schedule->load();
    return schedule;
  } catch (const CORBA::Exception& failure) {
    return std::unexpected("the scheduler cannot be read: " + std::string(failure.what()));
  }
}

void ChannelSchedule::load() {
  const RT_Scheduler::RT_Info_Set infos = scheduler_->all();
  constexpr std::int32_t most_priority = std::numeric_limits<std::int16_t>::max();
  for (const RT_Scheduler::RT_Info& info : infos) {
    const auto priority = std::clamp<std::int32_t>(info.priority_(), -1, most_priority);
    operations_[info.handle_()] = {info.entry_point_(), static_cast<std::int16_t>(priority),
                                   info.period_() != 0};
    for (const RT_Scheduler::Dependency_Info& each : info.dependencies_())
      (each.type() == Dependency_Type::ONE_WAY_CALL
           ? one_way_
           : two_way_)[{info.handle_(), each.rt_info()}] = {.times = each.number_of_calls(), .loaded = true};
  }
  if (infos.empty()) return;
  try {
    std::int32_t priority = 0, subpriority = 0, preemption = 0;
    scheduler_->priority(infos.front().handle_(), priority, subpriority, preemption);
    computed_ = true;
  } catch (const RT_Scheduler::NOT_SCHEDULED&) {  // a configuration run
  }
}

std::vector<EventLevel> ChannelSchedule::levels() const {
  std::set<std::int16_t, std::greater<>> priorities;
  if (computed_)
    for (const auto& [pair, times] : one_way_)
      if (const auto callee = operations_.find(pair.second); callee != operations_.end())
        priorities.insert(callee->second.priority);
  std::vector<EventLevel> levels;
  for (const std::int16_t priority : priorities)
    if (priority >= 0) levels.push_back({"priority " + std::to_string(priority), priority});
  levels.push_back({"unscheduled"});
  return levels;
}

LevelOfInfo ChannelSchedule::level_of(std::span<const EventLevel> levels) {
  return [schedule = shared_from_this(), levels = std::vector(levels.begin(), levels.end())](
             std::int32_t rt_info) -> std::optional<std::size_t> {
    if (rt_info == 0 || !schedule->computed_) return levels.size() - 1;
    const auto operation = schedule->operations_.find(rt_info);  // does not change once it is computed
    if (operation == schedule->operations_.end()) return {};
    const auto level = std::ranges::find(levels, operation->second.priority, &EventLevel::priority);
    if (level == levels.end()) return {};
    return static_cast<std::size_t>(level - levels.begin());
  };
}

ClientDeclarations ChannelSchedule::declarations() {
  const auto schedule = shared_from_this();
  return {.consumer_connects =
              [schedule](std::uint64_t id, const RtecEventChannelAdmin::ConsumerQOS& qos) {
                return schedule->consumer_connects(id, qos);
              },
          .supplier_connects =
              [schedule](std::uint64_t id, const RtecEventChannelAdmin::SupplierQOS& qos) {
                return schedule->supplier_connects(id, qos);
              },
          .ended = [schedule](std::uint64_t id) { schedule->ended(id); }};
}

std::optional<std::string> ChannelSchedule::supplier_connects(std::uint64_t id,
                                                              const RtecEventChannelAdmin::SupplierQOS& qos) {
  Client client;
  bool without_operation = qos.publications().empty();
  for (const RtecEventChannelAdmin::Publication& each : qos.publications()) {
    const RtecBase::Dependency_Info& info = each.dependency_info();
    without_operation |= info.rt_info() == 0;
    if (info.rt_info() == 0) continue;
    const RtecEventComm::EventHeader& header = each.event().header();
    client.publications.push_back(
        {info.rt_info(),
         {.type = header.type(), .source = header.source(), .times = std::max(info.number_of_calls(), 1)}});
  }
  if (without_operation)
    say("a supplier names no operation for its events: the schedule does not count them, so that the bounds "
        "of consumers that get them do not hold");
  if (client.publications.empty()) return {};
  const std::lock_guard lock(declaring_);
  until_ = std::chrono::steady_clock::now() + patience_;
  for (const auto& [operation, publication] : client.publications)
    if (auto why = unknown(operation)) return why;
  take(id, client);
  return {};
}

std::optional<std::string> ChannelSchedule::consumer_connects(std::uint64_t id,
                                                              const RtecEventChannelAdmin::ConsumerQOS& qos) {
  Client client;
  std::vector<FilterEntry> entries;
  for (const RtecEventChannelAdmin::Dependency& each : qos.dependencies()) {
    const RtecEventComm::EventHeader& header = each.event().header();
    entries.push_back({header.type(), header.source(), header.creation_time()});
    if (each.rt_info() != 0) client.operations.push_back(each.rt_info());
  }
  std::ranges::sort(client.operations);
  client.operations.erase(std::ranges::unique(client.operations).begin(), client.operations.end());
  auto filter = Filter::parse(entries, filters_);
  if (!filter) return filter.error().text;
  client.filter = *std::move(filter);
  if (client.operations.empty()) return {};
  const std::lock_guard lock(declaring_);
  until_ = std::chrono::steady_clock::now() + patience_;
  for (const std::int32_t operation : client.operations)
    if (auto why = unknown(operation)) return why;
  if (client.operations.size() > 1)
    say("a consumer has " + std::to_string(client.operations.size()) + " operations, such as '" +
        name_of(client.operations.front()) +
        "': all are called at the most urgent one's priority, which the schedule does not know; give each "
        "operation a consumer of its own");
  take(id, client);
  return {};
}

void ChannelSchedule::ended(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  clients_.erase(id);
}

bool ChannelSchedule::is_too_slow() {
  if (std::chrono::steady_clock::now() < until_) return false;
  say("the scheduler is too slow: calls of events are not in it");
  return true;
}

std::optional<std::string> ChannelSchedule::unknown(std::int32_t operation) {
  if (operations_.contains(operation)) return {};
  const std::string why = "the scheduler has no operation with the handle " + std::to_string(operation);
  if (computed_) return why;
  if (is_too_slow()) return "the scheduler is too slow";
  try {
    const RT_Scheduler::RT_Info info = scheduler_->get(operation);
    operations_[operation] = {.name = info.entry_point_(), .has_period = info.period_() != 0};
    return {};
  } catch (const RT_Scheduler::UNKNOWN_TASK&) {
    return why;
  } catch (const CORBA::SystemException& failure) {
    return "the scheduler does not answer: " + std::string(failure.what());
  }
}

void ChannelSchedule::take(std::uint64_t id, const Client& added) {
  {
    const std::lock_guard lock(mutex_);
    clients_.insert_or_assign(id, added);
  }
  const auto all = dependencies_of(added);
  if (!all)
    return say("the calls of further events are not counted, because they take more than " +
               std::to_string(most_comparisons) + " comparisons of publications with filters");
  try {
    require(added, *all);
  } catch (const CORBA::Exception& failure) {
    say("calls of events are not in the scheduler, because it does not answer: " +
        std::string(failure.what()));
  }
}

// The clients that share an operation with the new one, and those that exchange events with it. Empty if that
// takes too many comparisons.
std::optional<EventDependencies> ChannelSchedule::dependencies_of(const Client& added) {
  std::set<std::int32_t> callers;
  for (const auto& [operation, publication] : added.publications) callers.insert(operation);
  EventDependencies all;
  std::size_t publications = 0, filters = 0;
  const std::lock_guard lock(mutex_);
  for (const auto& [id, client] : clients_) {
    for (const auto& [operation, publication] : client.publications) {
      if (!callers.empty() && !callers.contains(operation)) continue;
      all.add_supplier(operation, {&publication, 1});
      ++publications;
    }
    for (const std::int32_t operation : client.operations) {
      if (!added.operations.empty() && !std::ranges::binary_search(added.operations, operation)) continue;
      all.add_consumer(operation, client.filter);
      ++filters;
    }
    if (publications * filters > most_comparisons) return {};
  }
  return all;
}

void ChannelSchedule::require(const Client& added, const EventDependencies& all) {
  for (const std::int32_t each : all.operations_that_start_themselves())
    say("'" + name_of(each) + "' consumes events that it publishes: their calls have no bound");
  for (const EventCalls& each : all.calls()) {
    say_unbounded(each);
    require_call({each.caller, each.callee}, each.times, Dependency_Type::ONE_WAY_CALL);
  }
  std::set<std::int32_t> callers;
  for (const auto& [operation, publication] : added.publications) callers.insert(operation);
  if (const auto push = callers.empty() ? std::nullopt : own_operation(channel_ + "::push"))
    for (const std::int32_t each : callers)
      require_call({each, *push}, all.pushes_of(each), Dependency_Type::TWO_WAY_CALL);
  const auto deliver = added.operations.empty() ? std::nullopt : own_operation(channel_ + "::deliver");
  if (!deliver) return;
  for (const std::int32_t each : added.operations)
    require_call({each, *deliver}, 1, Dependency_Type::TWO_WAY_CALL);
  require_timers(all);
}

// Timers of one operation with the same period are one operation of the scheduler, which calls it for each.
void ChannelSchedule::require_timers(const EventDependencies& all) {
  std::map<std::pair<std::int32_t, std::optional<std::chrono::nanoseconds>>, std::int64_t> timers;
  for (const TimerCalls& each : all.timers()) {
    std::optional<std::chrono::nanoseconds> period;
    if (!each.once) period = each.period;
    ++timers[{each.callee, period}];
  }
  for (const auto& [timer, times] : timers) {
    const auto& [callee, period] = timer;
    std::string name = channel_ + "::timer of '" + name_of(callee) + "'";
    if (period) name += " every " + text_of(*period);
    if (const auto own = own_operation(name, std::min(period.value_or(longest_period), longest_period)))
      require_call({*own, callee}, times, Dependency_Type::ONE_WAY_CALL);
  }
}

void ChannelSchedule::say_unbounded(const EventCalls& call) {
  const auto callee = operations_.find(call.callee);
  if (callee != operations_.end() && callee->second.has_period)
    say("'" + callee->second.name +
        "' consumes events and has a period of its own, by which alone the analysis starts it: its events "
        "have no bound; leave the period out, or give the consumer another operation");
  const auto known = one_way_.find({call.caller, call.callee});
  if (computed_ || known == one_way_.end() || !known->second.loaded) return;
  say("the scheduler had calls of '" + name_of(call.callee) + "' by '" + name_of(call.caller) +
      "' before this channel started: if they do not all go through this channel, bounds do not hold; begin "
      "with an empty scheduler");
}

void ChannelSchedule::require_call(Pair pair, std::int64_t times, Dependency_Type type) {
  auto& known = type == Dependency_Type::ONE_WAY_CALL ? one_way_ : two_way_;
  const auto found = known.find(pair);
  if (found != known.end() && found->second.times >= times) return;
  const std::string what = "'" + name_of(pair.first) + "' calls '" + name_of(pair.second) + "' " +
                           std::to_string(times) + " times through the channel";
  if (computed_)
    return say(what + ", and its schedule has " +
               std::to_string(found == known.end() ? 0 : found->second.times) +
               ": its bounds do not hold; repeat the configuration run");
  if (found != known.end())
    return say(what + ", and the scheduler has " + std::to_string(found->second.times) +
               " already, which cannot be changed; give each consumer an operation of its own, or begin with "
               "an empty scheduler");
  if (is_too_slow()) return;
  try {
    if (type == Dependency_Type::ONE_WAY_CALL)
      scheduler_->add_one_way_dependency(pair.first, pair.second, calls_from(times));
    else
      scheduler_->add_dependency(pair.first, pair.second, calls_from(times));
    known[pair] = {.times = times};
  } catch (const RT_Scheduler::BAD_REQUIREMENTS& refused) {
    say(refused.reason());
  } catch (const RT_Scheduler::UNKNOWN_TASK& refused) {
    say(refused.reason());
  }
}

std::optional<std::int32_t> ChannelSchedule::own_operation(const std::string& name,
                                                           std::chrono::nanoseconds period) {
  const auto named = [&](const auto& each) { return each.second.name == name; };
  if (const auto found = std::ranges::find_if(operations_, named); found != operations_.end()) {
    require_period(found->first, period);
    return found->first;
  }
  if (computed_) {
    say("the schedule has no operation '" + name + "': its bounds do not hold; repeat the configuration run");
    return {};
  }
  if (is_too_slow()) return {};
  std::int32_t handle = 0;
  try {
    handle = scheduler_->create(name);
  } catch (const RT_Scheduler::DUPLICATE_NAME&) {  // another channel, or another process, was faster
    handle = scheduler_->lookup(name);
  } catch (const RT_Scheduler::BAD_REQUIREMENTS& refused) {
    say(refused.reason());
    return {};
  }
  operations_[handle] = {name};
  require_period(handle, period);
  return handle;
}

// The period may be missing although the timer exists: when a scheduler was slow, or another process has just
// created it.
void ChannelSchedule::require_period(std::int32_t timer, std::chrono::nanoseconds period) {
  Operation& operation = operations_[timer];
  if (operation.has_period || period == std::chrono::nanoseconds(0)) return;
  if (computed_)
    return say("the schedule has no period for '" + operation.name +
               "': its bounds do not hold; repeat the configuration run");
  try {
    const RT_Scheduler::RT_Info info = scheduler_->get(timer);
    if (info.period_() == 0)
      scheduler_->set(timer, info.worstcase_execution_time_(), info.typical_execution_time_(),
                      info.cached_execution_time_(),
                      static_cast<RT_Scheduler::Period>(std::chrono::duration_cast<Unit>(period).count()),
                      info.importance_(), info.quantum_(), info.threads_());
    operation.has_period = true;
  } catch (const RT_Scheduler::BAD_REQUIREMENTS& refused) {
    say(refused.reason());
  }
}

std::string ChannelSchedule::name_of(std::int32_t operation) const {
  const auto found = operations_.find(operation);
  return found == operations_.end() ? std::to_string(operation) : found->second.name;
}

void ChannelSchedule::say(const std::string& text) {
  if (!report_) return;
  bool is_last = false;
  {
    const std::lock_guard lock(mutex_);
    if (said_.size() >= most_said || !said_.insert(text).second) return;
    is_last = said_.size() == most_said;
  }
  report_(text);
  if (is_last)
    report_("further reports about the schedule are left out, after " + std::to_string(most_said) +
            " different ones");
}

}  // namespace takt::rt_events
