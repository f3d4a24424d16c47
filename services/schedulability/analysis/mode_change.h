// Response times while a processor changes from one schedule to another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace takt::scheduling {

// The mode in which a thread is released.
enum class Mode {
  both,      // in both modes, at an unchanged rate
  old_mode,  // only arrivals before the change
  new_mode   // only arrivals from the change on
};

// Nanoseconds; periods are positive, other values not negative.
struct ModeLoad {
  Mode mode = Mode::both;
  std::int64_t execution = 0;
  std::int64_t period = 1;
  std::int64_t deadline = 0;  // longer responses are not computed
  std::int64_t jitter = 0;
  std::int64_t blocking = 0;
  std::int32_t level = 0;  // 0 is the most urgent; equal levels mean equal priorities in both modes
  // For Mode::both, the number of levels by which the thread is lower in its other mode. It interferes with
  // others at its higher level, and others interfere with it at its lower level.
  std::int32_t further_down = 0;
};

// The longest response of each load to an arrival before, at or after the change, for the worst instant of
// the change. `unbounded` if it exceeds the deadline, or was not found within `steps` (see response_times()).
//
// Valid for fixed priorities on one processor without waits for other processors. Jobs that arrived before
// the change keep the old priority, later ones have the new priority. No job is dropped and no release is
// delayed: in the terms of Real and Crespo 2004, the protocol is asynchronous with periodicity. The method is
// that of Tindell, Burns and Wellings 1992, with a busy period in which the change comes after any of the old
// arrivals. Protocols that delay releases stay within these bounds.
std::vector<std::int64_t> mode_change_responses(std::span<const ModeLoad> loads, std::int64_t& steps);

// The longest time from the change until the processor has nothing to do, for any order of its jobs. From
// then on nothing that arrived before the change delays anything. `unbounded` if it was not found.
std::int64_t settling_time(std::span<const ModeLoad> loads, std::int64_t& steps);

}  // namespace takt::scheduling
