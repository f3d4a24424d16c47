#include "schedulability/analysis/transition.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "schedulability/analysis/demand.h"
#include "schedulability/model/checked.h"
#include "schedulability/model/words.h"

namespace takt::scheduling {
namespace {

// The properties of a thread that matter for other threads.
struct Candidate {
  ThreadInTransition shown;
  ModeLoad load;
  const Thread* thread = nullptr;
  std::string_view transaction;
  std::span<const Reservation> reservations;  // all that the schedule has
  bool critical = true;
  bool plain = true;  // neither triggers, is triggered, nor waits; shares nothing and has no bursts

  bool changes() const { return load.mode != Mode::both || load.further_down > 0; }
};

std::vector<Candidate> candidates_of(const Scheduled& scheduled, Mode mode) {
  const std::vector<Thread>& threads = scheduled.analysis.threads;
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const Thread& thread = threads[i];
    const ThreadPriority& priority = scheduled.analysis.results[i].priority;
    Candidate& made = all.emplace_back();
    made.shown = {.operation = scheduled.repository[thread.entry].entry_point,
                  .mode = mode,
                  .processor = thread.processor,
                  .response = std::nullopt,
                  .deadline = thread.deadline};
    made.load = {.mode = mode,
                 .execution = thread.execution.count(),
                 .period = thread.period.count(),
                 .deadline = multiply(4, thread.deadline.count()),
                 .jitter = thread.jitter.count(),
                 .blocking = thread.blocking.count(),
                 .level = scheduled.ranks.empty()
                              ? priority.level
                              : scheduled.ranks[static_cast<std::size_t>(priority.level)]};
    made.thread = &thread;
    made.transaction = scheduled.repository[thread.entry].transaction;
    made.reservations = scheduled.repository.reservations();
    made.critical = priority.critical;
    made.plain = !thread.trigger && thread.locks.empty() && thread.lane.empty() && thread.burst == 1 &&
                 made.reservations.empty();
  }
  for (const Thread& thread : threads)
    if (thread.trigger) all[thread.trigger->thread].plain = false;
  return all;
}

// Whether the keys of the system are the same.
bool is_used_alike(const Candidate& a, const Candidate& b) {
  return a.transaction == b.transaction && a.thread->offset == b.thread->offset &&
         std::ranges::equal(a.reservations, b.reservations) && a.thread->burst == b.thread->burst &&
         a.thread->distance == b.thread->distance && a.thread->lane == b.thread->lane &&
         a.thread->locks == b.thread->locks;
}

bool is_same(const Candidate& a, const Candidate& b) {
  return a.shown.operation == b.shown.operation && a.shown.processor == b.shown.processor &&
         a.shown.deadline == b.shown.deadline && a.load.execution == b.load.execution &&
         a.load.period == b.load.period && a.load.jitter == b.load.jitter &&
         a.load.blocking == b.load.blocking && a.critical == b.critical && is_used_alike(a, b);
}

// The threads of both schedules, where threads that both have are listed once. Several threads may begin at
// one operation. A thread that differs only in priority counts as the same.
std::vector<Candidate> joined(const Scheduled& before, const Scheduled& after) {
  std::vector<Candidate> all = candidates_of(before, Mode::old_mode);
  std::multimap<std::string, std::size_t> of_name;
  for (std::size_t i = 0; i < all.size(); ++i) of_name.emplace(all[i].shown.operation, i);
  for (const Candidate& each : candidates_of(after, Mode::new_mode)) {
    auto [first, last] = of_name.equal_range(each.shown.operation);
    const auto same = std::find_if(first, last, [&](const auto& old) {
      return all[old.second].shown.mode == Mode::old_mode && is_same(all[old.second], each);
    });
    if (same == last) {
      all.push_back(each);
      continue;
    }
    Candidate& known = all[same->second];
    const auto [up, down] = std::minmax(known.load.level, each.load.level);
    known.shown.mode = known.load.mode = Mode::both;
    known.load.level = up;
    known.load.further_down = down - up;
  }
  return all;
}

void bound_fixed(std::vector<Candidate*>& members) {
  std::vector<ModeLoad> loads;
  for (const Candidate* each : members) loads.push_back(each->load);
  std::int64_t steps = usual_steps;
  const auto responses = mode_change_responses(loads, steps);
  for (std::size_t i = 0; i < members.size(); ++i) {
    ThreadInTransition& shown = members[i]->shown;
    if (responses[i] != unbounded) shown.response = Time(responses[i]);
    if (!shown.response || *shown.response > shown.deadline) shown.verdict = Verdict::unproven;
  }
}

// Threads outside the critical set get the remaining time, so they are never proven.
void bound_dynamic(std::vector<Candidate*>& members) {
  std::vector<DemandLoad> loads;
  for (const Candidate* each : members)
    if (each->critical)
      loads.push_back({each->load.execution, each->load.period, each->shown.deadline.count(),
                       each->load.jitter, each->load.blocking});
  const bool met = loads.empty() || processor_demand(loads).verdict == DemandVerdict::met;
  for (Candidate* each : members)
    if (!met || !each->critical) each->shown.verdict = Verdict::unproven;
}

// How long jobs of threads that end, or have another priority afterwards, may delay the members. With MUF,
// those of the critical set, which others do not delay.
std::optional<Time> settling_of(const std::vector<Candidate*>& members) {
  const auto leaves = [](const Candidate* each) {
    return each->load.mode == Mode::old_mode || each->load.further_down > 0;
  };
  if (std::ranges::none_of(members, leaves)) return Time(0);
  std::vector<ModeLoad> loads;
  for (const Candidate* each : members)
    if (each->critical) loads.push_back(each->load);
  std::int64_t steps = usual_steps;
  const std::int64_t time = settling_time(loads, steps);
  return time == unbounded ? std::nullopt : std::optional(Time(time));
}

}  // namespace

Transition analyse_transition(const Scheduled& before, const Scheduled& after) {
  std::vector<Candidate> all = joined(before, after);
  std::map<std::int32_t, std::vector<Candidate*>> processors;
  for (Candidate& each : all) processors[each.shown.processor].push_back(&each);
  const bool fixed = is_fixed(after.analysis.options.strategy);
  Transition transition;
  bool chains_change = false;
  for (const Candidate& each : all) chains_change |= !each.plain && each.changes();
  for (auto& [processor, members] : processors) {
    const auto changes = [](const Candidate* each) { return each->changes(); };
    const bool plain = std::ranges::all_of(members, [](const Candidate* each) { return each->plain; });
    if (std::ranges::none_of(members, changes) && (plain || !chains_change)) continue;
    if (!plain)
      for (Candidate* each : members) each->shown.verdict = Verdict::unproven;
    else if (fixed)
      bound_fixed(members);
    else
      bound_dynamic(members);
    const auto settles = settling_of(members);
    transition.settles = settles && transition.settles ? std::max(settles, transition.settles) : std::nullopt;
  }
  for (Candidate& each : all) {
    if (each.critical) transition.verdict = std::max(transition.verdict, each.shown.verdict);
    transition.threads.push_back(std::move(each.shown));
  }
  return transition;
}

const ThreadInTransition* Transition::worst() const {
  const auto over = [](const ThreadInTransition& each) {
    if (each.verdict == Verdict::meets) return Time::min();
    return each.response ? *each.response - each.deadline : Time(0);
  };
  const auto found = std::ranges::max_element(threads, {}, over);
  return found == threads.end() || found->verdict == Verdict::meets ? nullptr : &*found;
}

std::string text_of(const ThreadInTransition& thread) {
  return "operation '" + thread.operation + "' is not proven to meet its deadline of " +
         text_of(thread.deadline) + " while the schedule changes: its response " +
         (thread.response ? "takes up to " + text_of(*thread.response) : "has no bound");
}

}  // namespace takt::scheduling
