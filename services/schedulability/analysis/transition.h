// Analyses whether one schedule may replace another while the system runs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedulability/analysis/analysis.h"
#include "schedulability/analysis/mode_change.h"

namespace takt::scheduling {

// A schedule and its operations. Both must outlive this.
struct Scheduled {
  const Repository& repository;
  const Analysis& analysis;
  // By level, a number that compares its priority with the other schedule's: lower is more urgent. Empty: the
  // level's number.
  std::span<const std::int32_t> ranks = {};
};

struct ThreadInTransition {
  std::string operation;  // the operation at which it begins
  Mode mode = Mode::both;
  std::int32_t processor = 0;
  Verdict verdict = Verdict::meets;
  // The worst-case response time to an arrival before, at or after the change. Empty if unknown: for dynamic
  // priorities, and for responses beyond four times the deadline.
  std::optional<Time> response;
  Time deadline{0};
};

struct Transition {
  std::vector<ThreadInTransition> threads;  // the old schedule's threads, then the new one's
  Verdict verdict = Verdict::meets;         // the worst of all threads; with MUF, of the critical sets
  // The analysis of a further change holds only from this time after the change on, because until then old
  // jobs may be pending. 0: no thread ends or gets another priority. Empty: unknown.
  std::optional<Time> settles = Time(0);
  // The thread that exceeds its deadline most; if none does, one that is not proven; null if all are proven.
  const ThreadInTransition* worst() const;
};

// Both schedules must use the same strategy. For fixed priorities, see mode_change_responses(). With dynamic
// ones, both schedules together must fit, counting shared threads once. Processors with chains, waiting
// callers, locks, lanes, bursts or reservations are proven only if nothing on them changes. A miss is only
// known as a bound beyond the deadline, so its verdict is `unproven`.
Transition analyse_transition(const Scheduled& before, const Scheduled& after);

// As "operation 'a' is not proven to meet its deadline of 10 ms while the schedule changes: it takes up to 12
// ms".
std::string text_of(const ThreadInTransition& thread);

}  // namespace takt::scheduling
