// Whether a request may be dispatched, or the reason why it may not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::server {

enum class Verdict : std::uint8_t {
  granted,
  moved,             // other threads serve it, because its connection moves to them
  too_late,          // the deadline or end time has passed
  too_early,         // the start time has not come, and the server does not wait for it
  code_sets,         // the client has chosen code sets that this server cannot read
  memory_taken,      // there is no memory for it now
  too_long,          // there is no memory for it at all
  queue_full,        // all threads are busy, and the limit of waiting requests is reached
  too_many_pending,  // the limit of pending requests of its connection is reached
};
inline constexpr std::size_t verdicts = 9;
static_assert(static_cast<std::size_t>(Verdict::too_many_pending) + 1 == verdicts);

}  // namespace takt::server
