// Response times while one schedule of a processor takes over from another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace takt::scheduling {

// Who releases a thread.
enum class Mode {
  both,      // unchanged, it goes on at its rate
  old_mode,  // only what arrived before the change
  new_mode   // only what arrives from the change on
};

// Nanoseconds; periods over 0, nothing negative.
struct ModeLoad {
  Mode mode = Mode::both;
  std::int64_t execution = 0;
  std::int64_t period = 1;
  std::int64_t deadline = 0;  // responses beyond it are not looked for
  std::int64_t jitter = 0;
  std::int64_t blocking = 0;
  std::int32_t level = 0;  // the lowest is the most urgent; the same is the same priority in both modes
  // How many levels down it is in the other mode, where that is all that changes (Mode::both); it takes time
  // from others as in the one, and others from it as in the other.
  std::int32_t further_down = 0;
};

// The longest response of each to an arrival before, at or after the change, whenever that is; `unbounded`
// where it is longer than the deadline, or was not found in so many `steps` (see response_times()).
//
// For fixed priorities on one processor, where nobody waits for other processors: jobs that have arrived keep
// the old priority, those that arrive have the new one, nothing is thrown away, and no release is put off
// (asynchronous, with periodicity, in the terms of Real and Crespo 2004; the method is that of Tindell, Burns
// and Wellings 1992, with a busy period in which the change comes after any of the old arrivals). Protocols
// that put releases off keep within it.
std::vector<std::int64_t> mode_change_responses(std::span<const ModeLoad> loads, std::int64_t& steps);

}  // namespace takt::scheduling
