// The result of one read or write.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::os {

enum class IoStatus : std::uint8_t {
  ok,             // bytes > 0 were transferred, possibly fewer than requested
  would_block,    // non-blocking: wait for readiness, then try again
  end_of_stream,  // reads only: the peer closed its side, or shut_down() was called here
  timed_out,      // blocking: the timeout passed and nothing was transferred
  failed,         // the connection is unusable; `error` gives the reason
};

struct IoResult {
  std::size_t bytes;  // > 0 if and only if status is ok
  IoStatus status;
  int error;  // errno when failed, 0 otherwise
};

}  // namespace takt::os
