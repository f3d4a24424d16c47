#include "scheduling/model/sharing.h"

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
    if (const RtInfo& info = repository[member]; !info.lane.empty() && info.lane != thread.lane)
      return fault(info, "has the lane '" + info.lane + "', but runs in the thread of '" + entry.entry_point +
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

}  // namespace takt::scheduling
