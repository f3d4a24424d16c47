// The outcome of one read or write.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::os {

enum class IoStatus : std::uint8_t {
  ok,             // bytes > 0 were moved, perhaps fewer than asked
  would_block,    // non-blocking: wait for readiness, then try again
  end_of_stream,  // the peer closed its side, or shut_down() was called here; read only
  timed_out,      // blocking: the timeout that was set has passed and nothing was moved
  failed,         // the connection is of no further use; `error` says why
};

struct IoResult {
  std::size_t bytes;  // > 0 exactly when status is ok
  IoStatus status;
  int error;  // errno when failed, 0 otherwise
};

}  // namespace takt::os
