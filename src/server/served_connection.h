// One connection that a strategy serves, as the set of its connections sees it.
#pragma once

#include <chrono>
#include <optional>

#include <takt/transport/stream.h>

#include "server/graceful_close.h"

namespace takt::server {

// Owned by its ConnectionSet, and by the threads that are in it.
class ServedConnection {
 public:
  virtual ~ServedConnection() = default;
  virtual transport::Stream& stream() = 0;
  // Its requests are served from now on. False: they cannot be, for want of a thread or a watch. Once, in the
  // thread that accepted it. May throw.
  virtual bool begin() = 0;
  // A sweep looks at it, in any thread, with the set's mutex: it gives back the memory of long messages.
  // True: the peer has had its time, be it for the rest of a message, to take a reply, or to send a request.
  virtual bool overdue(std::chrono::steady_clock::time_point now) = 0;
  // After that: the connection ends, in good order where that needs no waiting. Any thread.
  virtual void give_up() = 0;
  // What its peer is still to be sent; nothing: it just ends. Once no thread serves it.
  virtual std::optional<GracefulClose> graceful_close() = 0;
  // The server ends while some thread may still serve it: nothing more is sent. Any thread.
  virtual void abandon() {}
};

}  // namespace takt::server
