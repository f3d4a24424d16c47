// Response times of threads on several processors, with what passes between them.
#pragma once

#include <span>
#include <vector>

#include "scheduling/analysis/response_time.h"
#include "scheduling/model/priorities.h"

namespace takt::scheduling {

struct HolisticResult {
  std::vector<Response> responses;  // of each thread; where a caller waits for it, of one call
  std::vector<Load> loads;          // as they were in the last round
  bool settled = true;              // no thread was given up as unbounded only because the rounds were over
};

// The response of one thread is the release jitter of the thread that it starts, and a caller waits as long
// as its calls take: repeated until nothing changes (Tindell and Clark 1994), or a
// response is over 64 times its period and deadline, or its busy period over 128 jobs. A caller that waits
// takes its time from others as if released late by as long as it may wait (Chen et al. 2019, section 4.2).
// Holds for every order within a level, and so for dynamic priorities too, where all have one level.
HolisticResult holistic_analysis(std::span<const Thread> threads, const Priorities& priorities);

}  // namespace takt::scheduling
