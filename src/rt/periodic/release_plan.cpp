#include "rt/periodic/release_plan.h"

#include <algorithm>
#include <tuple>

namespace takt::rt {

namespace {

// Number of due releases that are skipped.
std::uint64_t superseded(const ReleasePlan::Entry& entry, os::TimePoint now) {
  const auto later = static_cast<std::uint64_t>((now - entry.next) / entry.period);
  const std::uint64_t kept = entry.late == LateReleases::catch_up ? entry.most_behind : 0;
  return later > kept ? later - kept : 0;
}

}  // namespace

std::optional<ReleasePlan::Job> ReleasePlan::take(os::TimePoint now) {
  const auto urgency = [&](const Entry& each) {
    return std::tuple(each.held || each.next > now, each.sub_priority, each.next);
  };
  const auto first = std::ranges::min_element(entries_, {}, urgency);
  if (first == entries_.end() || first->held || first->next > now) return {};
  Job job{.entry = static_cast<std::size_t>(first - entries_.begin()),
          .release = first->next,
          .left_out = superseded(*first, now),
          .first_left_out = first->next};
  job.release += first->period * static_cast<std::int64_t>(job.left_out);
  first->next = job.release + first->period;
  return job;
}

os::TimePoint ReleasePlan::next() const {
  os::TimePoint first = os::no_deadline;
  for (const Entry& each : entries_)
    if (!each.held) first = std::min(first, each.next);
  return first;
}

}  // namespace takt::rt
