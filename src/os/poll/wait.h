// Waiting for one descriptor.
#pragma once

#include <takt/os/clock.h>

#include "os/poll/interest.h"

namespace takt::os {

enum class WaitResult : std::uint8_t { ready, timed_out, failed };

// Blocks the calling thread until `fd` is ready for any of `interest`, has failed or was hung up (both count
// as ready: the next call on it reports them), `deadline` has passed, or an Interruption of the thread is due
// (timed_out). Retries after signals. Any thread; does not allocate.
WaitResult wait_ready(int fd, Interest interest, TimePoint deadline);

// Whether the peer of a connected socket has closed it, or the connection has failed. Does not wait. False
// for other descriptors.
bool has_hung_up(int fd);

}  // namespace takt::os
