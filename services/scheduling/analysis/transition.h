// Whether one schedule may take over from another while everything runs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scheduling/analysis/analysis.h"
#include "scheduling/analysis/mode_change.h"

namespace takt::scheduling {

// A schedule and the operations that it is of, which outlive it.
struct Scheduled {
  const Repository& repository;
  const Analysis& analysis;
  // Of each level, what compares its priority with those of the other schedule: the lower, the more urgent.
  // Empty: the number of the level.
  std::span<const std::int32_t> ranks = {};
};

struct ThreadInTransition {
  std::string operation;  // at which it begins
  Mode mode = Mode::both;
  std::int32_t processor = 0;
  Verdict verdict = Verdict::meets;
  // At worst, to an arrival before, at or after the change. Nothing where none is known: with dynamic
  // priorities, and where it would be some four times the deadline.
  std::optional<Time> response;
  Time deadline{0};
};

struct Transition {
  std::vector<ThreadInTransition> threads;  // of both, those of the old schedule first
  Verdict verdict = Verdict::meets;         // of all; with MUF, of the critical sets
  // The one that is the furthest over its deadline, if there is one, or else one that is not proven.
  const ThreadInTransition* worst() const;
};

// Of schedules by the same strategy. Fixed priorities: see
// mode_change_responses(). Dynamic ones: both schedules together must fit, what they share once. Processors
// with chains and callers that wait are proven only if nothing on them changes. Misses are found only as
// bounds that go over a deadline, so `unproven` it is.
Transition analyse_transition(const Scheduled& before, const Scheduled& after);

// "operation 'a' is not proven to meet its deadline of 10 ms while the schedule changes: it takes up to 12
// ms".
std::string text_of(const ThreadInTransition& thread);

}  // namespace takt::scheduling
