// Exact response-time analysis of fixed priorities on one processor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduling/model/checked.h"

namespace takt::scheduling {

// A thread as the equations have it. Nanoseconds; periods over 0, nothing negative.
struct Load {
  std::int64_t execution = 0;  // what it takes from others in a period
  std::int64_t own = 0;        // what it needs to answer: its execution, or one call of several
  std::int64_t period = 1;
  std::int64_t jitter = 0;        // of its release
  std::int64_t taken_jitter = 0;  // of what it takes from others; not less than jitter
  std::int64_t blocking = 0;
  std::int64_t suspension = 0;  // how long it waits for others without the processor
  std::int32_t level = 0;       // 0 is the most urgent
  // Given up, as unbounded, when a response is longer or the busy period has more jobs.
  std::int64_t longest = unbounded;
  std::int64_t most_jobs = unbounded;
};

struct Response {
  std::int64_t worst = 0;   // from the arrival; `unbounded` where there is no bound, or none was found
  std::int64_t window = 0;  // from the critical instant to the end of that job
  std::int64_t job = 0;     // which one it is, from 0
  std::int64_t seen = 0;    // the slowest that was looked at, also where that was given up
};

// Whether threads of equal level take time from each other. They do, whatever the order within a level, so a
// bound counts them; what certainly happens to a thread leaves them out.
enum class Equals { count, leave_out };

// With blocking and jitter, for deadlines of any length: every job of the busy period is looked at (Joseph
// and Pandya 1986, Audsley et al. 1993, Lehoczky 1990, Tindell et al. 1994). With neither blocking,
// suspension nor equal levels the worst case does happen, when all are released together after their jitter.
// `seen` is unbounded where the demand exceeds the processor. Takes what it needs of `steps`, of some
// nanoseconds each, and gives up, as unbounded, when there are none left.
std::vector<Response> response_times(std::span<const Load> loads, Equals equals, std::int64_t& steps);

// Enough for ten thousand threads of a thousand periods, several times.
inline constexpr std::int64_t usual_steps = 250'000'000;

// What `load` takes from others in a window, in nanoseconds.
std::int64_t taken(const Load& load, std::int64_t window);

}  // namespace takt::scheduling
