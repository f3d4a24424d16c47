// Response times of threads on several processors that trigger and wait for each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "schedulability/analysis/blocking.h"
#include "schedulability/analysis/response_time.h"
#include "schedulability/model/threads.h"

namespace takt::scheduling {

struct HolisticResult {
  std::vector<Response> responses;  // by thread; for a call with a waiting caller, of one call
  std::vector<Load> loads;          // the input of the last round
  // By thread, empty if `loads` tell it: how much of the window other threads take, with their numbers.
  std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> shares;
  std::vector<bool> by_busy_period;  // by thread: the response is that of busy_limits()
  // False: a thread was given up as unbounded only because the limit of rounds was reached.
  bool settled = true;
  std::int64_t steps = 0;  // taken
};

// The response time of a thread is the release jitter of the threads that it triggers, and a caller is
// suspended for the response time of its calls. Repeats until nothing changes (Tindell and Clark 1994). A
// response that exceeds 64 times its period and deadline, whose busy period has more than 128 jobs, or that
// still changes after the last round counts as unbounded, and so does all that depends on it. There are 64
// rounds, and one more for each thread of the longest chain, up to 1,000. No response is longer than
// busy_limits(). A suspended
// caller interferes with others as if released late by its longest suspension (Chen et al. 2019, section
// 4.2). Valid for every order within a level, and therefore also for dynamic priorities, where all threads
// have one level.
// Each part of a job between two waits is blocked as `blocking` has it.
// Threads with a reservation have its supply; for the other threads of its processor, it is the most urgent
// load.
HolisticResult holistic_analysis(std::span<const Thread> threads, const Blocking& blocking,
                                 std::span<const Reservation> reservations);

// The load that a thread declares, without its level and blocking.
Load load_of(const Thread& thread);
// A reservation as the other threads of its processor see it: two budgets may come one right after the other.
Load load_of(const Reservation& reservation);

}  // namespace takt::scheduling
