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

inline constexpr std::int64_t most_at_once = 1'000'000;  // as the run-time scheduler takes

struct RunTimeEntry {
  std::string name;
  std::int32_t priority = 0, sub_priority = 0, queue = 0;
  Time period{0}, jitter{0}, phase{0}, deadline{0};  // 0: none
  std::int64_t burst = 1;                            // requests that may come at once
  Time execution{0};  // worst case of one call with all calls on its processor; 0: no bound
  bool critical = false;
};

// `infos` is the result of compute_scheduling() for `analysis`. An operation at which a thread begins has the
// thread's execution time for one call and, if it has a rate, its period, jitter, phase and deadline. With
// bursts, or several threads that are released together, the period is that of all releases on average, so
// that the ORB polices their rate. It then lets requests pass that come together as declared, and less than
// twice that number in any one period. Other operations run within
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
    const std::int64_t together = begins->burst * begins->at_once;
    made.execution /= begins->at_once;
    made.period = std::max(Time(1), begins->period / together);
    made.burst = std::min<std::int64_t>(together, most_at_once);
    made.jitter = begins->jitter;
    made.phase = begins->phase;
    made.deadline = begins->deadline;
  }
  return entries;
}

}  // namespace takt::scheduling
