// Whether a request may be dispatched, or why not.
#pragma once

#include <cstdint>

namespace takt::server {

enum class Verdict : std::uint8_t {
  granted,
  moved,             // it is served elsewhere, since the connection moves to other threads with it
  too_late,          // its deadline, or its end time, has passed
  too_early,         // its start time has not come, and is not waited for
  code_sets,         // the client has chosen code sets that this server cannot read
  memory_taken,      // there is no memory for it at present
  too_long,          // there is no memory for it at all
  queue_full,        // all threads are busy, and as many requests wait as may
  too_many_pending,  // as many requests of this connection wait as may
};

}  // namespace takt::server
