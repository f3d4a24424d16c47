// The entries of operations for an ORB's run-time scheduler.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

struct RunTimeEntry {
  std::string name;
  std::int32_t priority = 0, sub_priority = 0, queue = 0;
  Time period{0}, jitter{0}, phase{0}, deadline{0};  // 0: none
  std::int32_t burst = 1;                            // requests that may come at once
  Time execution{0};  // worst case of one call with all calls on its processor; 0: no bound
  bool critical = false;
};

// `infos` is the result of compute_scheduling() for `analysis`. An operation at which a thread begins has the
// thread's execution time and, if it has a rate, its period, jitter, phase and deadline. With bursts, the
// period is that of all releases on average, so that the ORB polices their rate. It then lets requests pass
// that come in bursts as declared, and less than two bursts in any one period. Other operations run within
// their callers' budgets and have none of their own.
inline std::vector<RunTimeEntry> run_time_entries(std::span<const RtInfo> infos, const Analysis& analysis) {
  std::set<Handle> critical;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i)
    if (analysis.results[i].priority.critical)
      critical.insert(analysis.threads[i].members.begin(), analysis.threads[i].members.end());
  std::vector<RunTimeEntry> entries;
  for (const RtInfo& info : infos) {
    RunTimeEntry& made =
        entries.emplace_back(info.entry_point, info.priority, info.subpriority, info.preemption_priority);
    made.critical = critical.contains(info.handle);
    const auto begins = std::ranges::find(analysis.threads, info.handle, &Thread::entry);
    if (begins == analysis.threads.end()) continue;
    made.execution = begins->one_call;
    if (begins->trigger) continue;
    made.period = std::max(Time(1), begins->period / begins->burst);
    made.burst = begins->burst;
    made.jitter = begins->jitter;
    made.phase = begins->phase;
    made.deadline = begins->deadline;
  }
  return entries;
}

}  // namespace takt::scheduling
