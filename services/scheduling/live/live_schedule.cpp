#include "scheduling/live/live_schedule.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "octets/random.h"
#include "schedulability/model/words.h"
#include "scheduling/live/steady_priorities.h"
#include "scheduling/output/run_time_entries.h"

namespace takt::scheduling {
namespace {

LiveFault fault(LiveError kind, std::string operation, std::int64_t number, std::string text) {
  return {kind, std::move(operation), number, std::move(text)};
}

LiveFault fault_of(const SchedulingFault& from) {
  LiveError kind = LiveError::bad_operations;
  if (from.kind == SchedulingError::utilization_bound_exceeded) kind = LiveError::not_feasible;
  if (from.kind == SchedulingError::insufficient_priority_levels) kind = LiveError::too_many;
  return fault(kind, from.operation, from.number, from.text);
}

std::vector<std::int32_t> ranks_of(const std::vector<std::int32_t>& priorities, const LiveOptions& options) {
  std::vector<std::int32_t> ranks = priorities;
  if (options.maximum_priority >= options.minimum_priority)
    for (std::int32_t& each : ranks) each = -each;
  return ranks;
}

// Random, so that a client cannot release others by counting through the ids.
std::uint64_t any_id() { return octets::random_number(); }

}  // namespace

LiveTarget target_of(CORBA::object_reference<rt::RunTimeScheduler> scheduler, rt::ScheduleOptions options) {
  return {
      .install =
          [=](std::vector<rt::ScheduledOperation> operations) {
            scheduler->install(std::move(operations), options);
          },
      .change =
          [=](std::vector<rt::ScheduledOperation> operations) { scheduler->change(std::move(operations)); }};
}

LiveSchedule::LiveSchedule(LiveTarget target, LiveOptions options)
    : target_(std::move(target)), options_(options) {}

LiveSchedule::Done LiveSchedule::begin(std::vector<Declaration> operations) {
  const std::lock_guard lock(mutex_);
  if (present_)
    return std::unexpected(
        fault(LiveError::out_of_order, "", 0, "the schedule has begun; use change_mode()"));
  return take_over(std::move(operations), {});
}

LiveSchedule::Done LiveSchedule::change_mode(std::vector<Declaration> operations) {
  const std::lock_guard lock(mutex_);
  if (!present_)
    return std::unexpected(fault(LiveError::out_of_order, "", 0, "there is no schedule: begin()"));
  Done done = take_over(std::move(operations), clients_);
  ++(done ? statistics_.mode_changes : statistics_.refused);
  return done;
}

std::expected<LiveSchedule::Admitted, LiveFault> LiveSchedule::admit(const std::string& client,
                                                                     std::vector<Declaration> operations,
                                                                     std::optional<Clock::time_point> now) {
  const std::lock_guard lock(mutex_);
  if (!present_)
    return std::unexpected(fault(LiveError::out_of_order, "", 0, "there is no schedule: begin()"));
  release_expired_now(now.value_or(Clock::now()));
  Admitted admitted;
  while (admitted.id == 0 || clients_.contains(admitted.id)) admitted.id = any_id();
  std::vector<std::string> names;
  for (const Declaration& each : operations) names.push_back(each.name);
  Clients clients = clients_;
  clients[admitted.id] = {.name = client, .operations = std::move(operations)};
  const Done done = take_over(own_, std::move(clients));
  ++(done ? statistics_.admitted : statistics_.refused);
  if (!done) return std::unexpected(done.error());
  leases_.begin(admitted.id, end_of_lease(now.value_or(Clock::now())));
  for (const std::string& name : names) admitted.priorities.emplace_back(name, present_->of(name));
  return admitted;
}

LiveSchedule::Clock::time_point LiveSchedule::end_of_lease(Clock::time_point begun) const {
  return lease() == lease().zero() ? Clock::time_point::max() : begun + lease();
}

LiveFault LiveSchedule::unknown(ClientId client) const {
  return fault(LiveError::unknown_client, "", static_cast<std::int64_t>(client),
               "no client with the number " + std::to_string(client) +
                   " is admitted: it has been released, " +
                   (lease() > lease().zero() ? "its lease of " + text_of(lease()) + " has run out, " : "") +
                   "or it never was");
}

LiveSchedule::Done LiveSchedule::renew(ClientId client, Clock::time_point now) {
  if (!leases_.renew(client, end_of_lease(now))) return std::unexpected(unknown(client));
  return {};
}

LiveSchedule::Done LiveSchedule::release(ClientId client) {
  const std::lock_guard lock(mutex_);
  if (!is_admitted(client)) return std::unexpected(unknown(client));
  Done done = release_together({&client, 1});
  if (done) leases_.end(client);
  return done;
}

std::optional<LiveSchedule::Clock::time_point> LiveSchedule::release_expired(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  return release_expired_now(now);
}

bool LiveSchedule::is_admitted(ClientId client) const {
  const auto found = clients_.find(client);
  return found != clients_.end() && !found->second.released;
}

// Tries to release all together first, because one may call operations of another. A client cannot renew its
// lease meanwhile; if it stays, it gets a new one.
std::optional<LiveSchedule::Clock::time_point> LiveSchedule::release_expired_now(Clock::time_point now) {
  const std::vector<ClientId> expired = leases_.end_expired(now);
  const std::uint64_t before = statistics_.released;
  if (!expired.empty() && !release_together(expired) && expired.size() > 1)
    for (const ClientId& each : expired) release_together({&each, 1});
  statistics_.expired += statistics_.released - before;
  for (const ClientId each : expired)
    if (is_admitted(each)) leases_.begin(each, end_of_lease(now));
  return leases_.first_end();
}

void LiveSchedule::Leases::begin(ClientId client, Clock::time_point ends) {
  const std::lock_guard lock(mutex_);
  ends_[client] = ends;
}

bool LiveSchedule::Leases::renew(ClientId client, Clock::time_point ends) {
  const std::lock_guard lock(mutex_);
  const auto found = ends_.find(client);
  if (found == ends_.end()) return false;
  found->second = ends;
  return true;
}

void LiveSchedule::Leases::end(ClientId client) {
  const std::lock_guard lock(mutex_);
  ends_.erase(client);
}

std::vector<LiveSchedule::ClientId> LiveSchedule::Leases::end_expired(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  std::vector<ClientId> expired;
  for (const auto& [client, ends] : ends_)
    if (ends <= now) expired.push_back(client);
  for (const ClientId each : expired) ends_.erase(each);
  return expired;
}

std::optional<LiveSchedule::Clock::time_point> LiveSchedule::Leases::first_end() const {
  const std::lock_guard lock(mutex_);
  auto first = Clock::time_point::max();
  for (const auto& [client, ends] : ends_) first = std::min(first, ends);
  return first == Clock::time_point::max() ? std::nullopt : std::optional(first);
}

LiveSchedule::Done LiveSchedule::release_together(std::span<const ClientId> ids) {
  Clients clients = clients_;
  for (const ClientId each : ids) clients.at(each).released = true;
  Done done = take_over(own_, clients);
  if (!done && done.error().kind == LiveError::not_feasible) {
    done = hand_over(*present_, clients);  // with the priorities of the present schedule
    if (done) clients_ = std::move(clients);
  }
  if (done) statistics_.released += ids.size();
  return done;
}

LiveSchedule::Statistics LiveSchedule::statistics() const {
  const std::lock_guard lock(mutex_);
  Statistics result = statistics_;
  result.clients = static_cast<std::size_t>(
      std::ranges::count_if(clients_, [](const auto& each) { return !each.second.released; }));
  if (!present_) return result;
  result.operations = present_->scheduler.repository().infos().size();
  for (const ProcessorResult& each : present_->scheduler.analysis()->processors)
    result.utilisation = std::max(result.utilisation, each.utilisation);
  return result;
}

LiveSchedule::Done LiveSchedule::require_room(const std::vector<Declaration>& own,
                                              const Clients& clients) const {
  if (clients.size() > options_.most_clients)
    return std::unexpected(
        fault(LiveError::too_many, "", static_cast<std::int64_t>(options_.most_clients),
              std::to_string(options_.most_clients) + " clients are admitted, which is the maximum"));
  std::map<std::string_view, std::string_view> by_name;  // declarer by operation
  const auto add = [&](const Declaration& each, std::string_view whose) -> Done {
    const auto [known, is_new] = by_name.emplace(each.name, whose);
    if (is_new) return {};
    return std::unexpected(fault(LiveError::bad_operations, each.name, 0,
                                 "operation '" + each.name + "' is declared by " +
                                     std::string(known->second) +
                                     "; a client that calls it at its own rate must use another name"));
  };
  for (const Declaration& each : own)
    if (Done done = add(each, "the application"); !done) return done;
  for (const auto& [id, client] : clients)
    for (const Declaration& each : client.operations)
      if (Done done = add(each, client.name); !done) return done;
  if (by_name.size() <= options_.most_operations) return {};
  return std::unexpected(fault(LiveError::too_many, "", static_cast<std::int64_t>(by_name.size()),
                               std::to_string(by_name.size()) + " operations are more than the " +
                                   std::to_string(options_.most_operations) + " that are permitted"));
}

LiveSchedule::Made LiveSchedule::make(const std::vector<Declaration>& own, const Clients& clients) const {
  if (const Done room = require_room(own, clients); !room) return std::unexpected(room.error());
  std::vector<std::vector<Declaration>> all{own};
  for (const auto& [id, client] : clients) all.push_back(client.operations);
  auto complete_ones = complete(all);
  if (!complete_ones)
    return std::unexpected(fault(LiveError::bad_operations, "", 0, std::move(complete_ones.error())));
  Scheduler scheduler(options_.priorities, std::move(complete_ones->repository));
  const auto computed = scheduler.compute_scheduling(options_.minimum_priority, options_.maximum_priority);
  if (!computed) return std::unexpected(fault_of(computed.error()));
  Present made{std::move(scheduler), {}, Time(0)};
  made.priorities = priorities_for(made.scheduler);
  if (!present_) return made;
  const std::vector<std::int32_t> old_ranks = ranks_of(present_->priorities, options_),
                                  new_ranks = ranks_of(made.priorities, options_);
  const Transition transition =
      analyse_transition({present_->scheduler.repository(), *present_->scheduler.analysis(), old_ranks},
                         {made.scheduler.repository(), *made.scheduler.analysis(), new_ranks});
  if (transition.verdict == Verdict::meets && !transition.settles)
    return std::unexpected(fault(LiveError::not_feasible, "", 0,
                                 "the processors are not proven to be done with the operations that end"));
  if (transition.verdict == Verdict::meets) {
    made.settles = *transition.settles;
    return made;
  }
  const ThreadInTransition& worst = *transition.worst();
  return std::unexpected(fault(LiveError::not_feasible, worst.operation,
                               (worst.response.value_or(worst.deadline) - worst.deadline).count(),
                               text_of(worst)));
}

// Finds the priorities that threads have in the present schedule, by the operations at which they begin.
std::vector<std::int32_t> LiveSchedule::priorities_for(const Scheduler& scheduler) const {
  const Analysis& analysis = *scheduler.analysis();
  std::map<std::string_view, std::int32_t> known;
  if (present_)
    for (std::size_t i = 0; i < present_->scheduler.analysis()->threads.size(); ++i) {
      const Analysis& before = *present_->scheduler.analysis();
      known.emplace(present_->scheduler.repository()[before.threads[i].entry].entry_point,
                    present_->priorities[static_cast<std::size_t>(before.results[i].priority.level)]);
    }
  std::vector<std::optional<std::int32_t>> had(static_cast<std::size_t>(analysis.levels));
  for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
    const auto found = known.find(scheduler.repository()[analysis.threads[i].entry].entry_point);
    auto& of_level = had[static_cast<std::size_t>(analysis.results[i].priority.level)];
    if (found != known.end() && !of_level) of_level = found->second;
  }
  return steady_priorities(had, options_.minimum_priority, options_.maximum_priority);
}

AssignedPriority LiveSchedule::Present::of(const std::string& operation) const {
  AssignedPriority assigned = scheduler.entry_point_priority(operation).value();
  assigned.priority = priorities[static_cast<std::size_t>(assigned.preemption_priority)];
  return assigned;
}

LiveSchedule::Done LiveSchedule::take_over(std::vector<Declaration> own, Clients clients) {
  Clients present = clients;
  std::erase_if(present, [](const auto& each) { return each.second.released; });
  Done done = take_over_exactly(own, present);
  if (done || present.size() == clients.size() || done.error().kind != LiveError::not_feasible) return done;
  return take_over_exactly(own, clients) ? Done() : done;
}

LiveSchedule::Done LiveSchedule::take_over_exactly(const std::vector<Declaration>& own,
                                                   const Clients& clients) {
  Made made = make(own, clients);
  if (!made) return std::unexpected(made.error());
  std::this_thread::sleep_until(settled_at_);
  if (Done done = hand_over(*made, clients); !done) return done;
  settled_at_ = Clock::now() + made->settles;
  present_ = std::move(*made);
  own_ = own;
  clients_ = clients;
  return {};
}

LiveSchedule::Done LiveSchedule::hand_over(const Present& schedule, const Clients& clients) {
  try {
    (present_ ? target_.change : target_.install)(operations_of(schedule, clients));
  } catch (const std::exception& refused) {
    return std::unexpected(fault(LiveError::not_taken, "", 0,
                                 std::string("the ORB has refused the schedule: ") + refused.what()));
  }
  return {};
}

std::vector<rt::ScheduledOperation> LiveSchedule::operations_of(const Present& schedule,
                                                                const Clients& clients) const {
  std::set<std::string_view> released;
  for (const auto& [id, client] : clients)
    if (client.released)
      for (const Declaration& each : client.operations) released.insert(each.name);
  std::vector<rt::ScheduledOperation> operations;
  for (const RunTimeEntry& each :
       run_time_entries(schedule.scheduler.repository().infos(), *schedule.scheduler.analysis())) {
    if (released.contains(each.name)) continue;
    rt::ScheduledOperation& made = operations.emplace_back();
    made.name = each.name;
    made.priority = static_cast<std::int16_t>(schedule.priorities[static_cast<std::size_t>(each.queue)]);
    made.sub_priority = each.sub_priority;
    made.queue = std::min(each.queue, options_.queues - 1);
    made.period = each.period;
    made.jitter = each.jitter;
    made.burst = static_cast<std::uint32_t>(each.burst);
    made.phase = each.phase;
    made.deadline = each.deadline;
    made.execution = each.execution;
    made.critical = each.critical;
    if (each.period > Time(0) && each.execution > Time(0)) made.on_overrun = options_.on_overrun;
  }
  return operations;
}

}  // namespace takt::scheduling
