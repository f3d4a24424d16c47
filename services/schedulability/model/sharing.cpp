#include "schedulability/model/sharing.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace takt::scheduling {
namespace {

GraphFault fault(const RtInfo& info, const std::string& text, GraphError kind = GraphError::sharing) {
  return {kind, info.entry_point, info.handle, "operation '" + info.entry_point + "' " + text};
}

std::optional<GraphFault> check_lane(const Repository& repository, std::span<const Thread> threads,
                                     const Thread& thread) {
  const RtInfo& entry = repository[thread.entry];
  for (const Handle member : thread.members)
    for (const RtInfo& info = repository[member]; const std::string& lane : {info.lane, info.reservation})
      if (!lane.empty() && lane != thread.lane)
        return fault(info, (lane == info.lane ? "has the lane '" : "has the reservation '") + lane +
                               "', but runs in the thread of '" + entry.entry_point +
                               "', which calls it; declare a lock that it holds instead");
  if (!is_call(thread)) return std::nullopt;
  const Thread& caller = threads[thread.trigger->thread];
  if (caller.lane.empty()) return std::nullopt;
  return fault(repository[caller.entry], "occupies the lane '" + caller.lane + "' while it waits for '" +
                                             entry.entry_point +
                                             "' on another processor, which is not analysed; leave the lane "
                                             "out if it has more threads");
}

}  // namespace

std::vector<LockUse> locks_of(const Repository& repository, std::span<const Handle> members) {
  std::map<std::string, Time> longest;
  for (const Handle member : members)
    for (const LockUse& lock : repository[member].locks)
      longest[lock.name] = std::max(longest[lock.name], lock.held);
  std::vector<LockUse> all;
  for (auto& [name, held] : longest) all.push_back({name, held});
  return all;
}

std::optional<GraphFault> check_sharing(const Repository& repository, std::span<const Thread> threads) {
  std::map<std::pair<std::string, std::string>, const Thread*> first;  // by kind and name
  for (const Thread& thread : threads) {
    if (auto wrong = check_lane(repository, threads, thread)) return wrong;
    std::vector<std::pair<std::string, std::string>> shared;
    if (!thread.lane.empty()) shared.emplace_back("lane", thread.lane);
    for (const LockUse& lock : thread.locks) shared.emplace_back("lock", lock.name);
    for (const auto& each : shared) {
      const Thread* const other = first.try_emplace(each, &thread).first->second;
      if (other->processor == thread.processor) continue;
      return fault(repository[thread.entry],
                   "uses the " + each.first + " '" + each.second + "' on processor " +
                       std::to_string(thread.processor) + ", and '" + repository[other->entry].entry_point +
                       "' uses it on processor " + std::to_string(other->processor) +
                       "; only sharing on one processor is analysed");
    }
  }
  return std::nullopt;
}

std::optional<GraphFault> check_bursts(const Repository& repository, std::span<const Thread> threads) {
  for (const Thread& thread : threads) {
    const RtInfo& entry = repository[thread.entry];
    for (const Handle member : thread.members)
      if (const RtInfo& info = repository[member];
          info.burst > 1 && (member != thread.entry || thread.trigger))
        return fault(info, "has a burst, but is called by another operation; declare the burst there",
                     GraphError::burst);
    if (thread.burst > 1 && is_call(thread))
      return fault(repository[threads[thread.trigger->thread].entry],
                   "has bursts and waits for '" + entry.entry_point +
                       "' on another processor, which is not analysed; declare its releases without a burst",
                   GraphError::burst);
  }
  return std::nullopt;
}

std::optional<GraphFault> check_reservations(const Repository& repository, std::span<const Thread> threads) {
  std::map<std::int32_t, long double> used;
  for (const Reservation& each : repository.reservations()) {
    long double& sum = used[each.processor];
    sum += static_cast<long double>(each.budget.count()) / static_cast<long double>(each.period.count());
    if (sum > 1.0L + 1e-12L)
      return GraphFault{GraphError::reservation, "", each.processor,
                        "reservation '" + each.name + "': it and the reservations before it on processor " +
                            std::to_string(each.processor) + " take more than all of its time"};
  }
  for (const Thread& thread : threads) {
    const RtInfo& entry = repository[thread.entry];
    const auto wrong = [&](const std::string& text) { return fault(entry, text, GraphError::reservation); };
    const auto all = repository.reservations();
    if (std::ranges::find(all, entry.lane, &Reservation::name) != all.end())
      return wrong("has a lane '" + entry.lane +
                   "', the name of a reservation; declare the reservation instead");
    if (entry.reservation.empty()) continue;
    if (thread.reservation == 0)
      return wrong("has the reservation '" + entry.reservation + "', which is not declared");
    if (const Reservation& reserved = all[thread.reservation - 1]; reserved.processor != thread.processor)
      return wrong("is on processor " + std::to_string(thread.processor) + ", but its reservation '" +
                   entry.reservation + "' is on processor " + std::to_string(reserved.processor));
    if (!thread.locks.empty())
      return wrong("has the reservation '" + entry.reservation + "' and the lock '" +
                   thread.locks.front().name +
                   "', which it keeps while its budget is used up; that is not analysed");
  }
  return std::nullopt;
}

}  // namespace takt::scheduling
