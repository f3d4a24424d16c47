// Exact response-time analysis for fixed priorities on one processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedulability/model/arrivals.h"
#include "schedulability/model/checked.h"

namespace takt::scheduling {

// A thread in the terms of the equations. Nanoseconds; periods are positive, other values not negative.
struct Load {
  std::int64_t execution = 0;  // interference with other threads per period, in a burst's jobs together
  std::int64_t own = 0;        // time until it answers: its execution, or one of several calls
  std::int64_t period = 1;
  std::int64_t burst = 1;         // jobs per period, one each `distance`
  std::int64_t distance = 0;      // at most period / burst
  std::int64_t jitter = 0;        // release jitter
  std::int64_t taken_jitter = 0;  // jitter of its interference; at least `jitter`
  std::int64_t blocking = 0;
  std::int64_t suspension = 0;  // time it waits for others without using the processor
  std::int32_t level = 0;       // 0 is the most urgent
  // Loads of one lane, which has one level, interfere only with those at their own place or below.
  std::size_t lane = 0;     // 0: none
  std::int32_t within = 0;  // the place within the lane; 0 is the most urgent
  // Longer responses, and busy periods with more jobs, count as unbounded.
  std::int64_t longest = unbounded;
  std::int64_t most_jobs = unbounded;
};

struct Response {
  std::int64_t worst = 0;   // from the arrival; `unbounded` if there is no bound or none was found
  std::int64_t window = 0;  // from the critical instant to the end of the slowest job
  std::int64_t job = 0;     // number of the slowest job, from 0
  std::int64_t seen = 0;    // the slowest job examined, even if the search was given up
};

// Whether threads of equal level interfere with each other. In any order within a level they may, so upper
// bounds must count them; what certainly happens to a thread leaves them out.
enum class Equals { count, leave_out };

// The processor time that loads get: all of it, or a budget in each period, which may come at the begin of
// one period and then at the end of the next (Shin and Lee 2003, the periodic resource model).
struct Supply {
  std::int64_t budget = 0;  // 0: all of it
  std::int64_t period = 0;

  // The longest time until `work` is done.
  constexpr std::int64_t time_for(std::int64_t work) const {
    if (budget == 0 || work == 0) return work;
    return add(work, multiply(add(1, divide_up(work, budget)), period - budget));
  }
  constexpr long double share() const {
    return budget == 0 ? 1.0L : static_cast<long double>(budget) / static_cast<long double>(period);
  }
};

// Includes blocking and jitter, for deadlines of any length: examines every job of the busy period (Joseph
// and Pandya 1986, Audsley et al. 1993, Lehoczky 1990, Tindell et al. 1994). Without blocking, suspension and
// equal levels, the worst case is real: it happens when all are released together after their jitter. `seen`
// is unbounded if demand exceeds the processor. Subtracts the steps it takes from `steps`, each of some
// nanoseconds; when none are left, remaining results are `unbounded`.
std::vector<Response> response_times(std::span<const Load> loads, Equals equals, std::int64_t& steps,
                                     const Supply& supply = {});

// Enough for several analyses of ten thousand threads with a thousand different periods.
inline constexpr std::int64_t usual_steps = 250'000'000;

// The interference of `load` with other threads in a window, in nanoseconds.
std::int64_t taken(const Load& load, std::int64_t window);

}  // namespace takt::scheduling
