// Work of a dispatcher, which may block in a call to a client.
#pragma once

#include <chrono>
#include <optional>

namespace takt::events {

using Clock = std::chrono::steady_clock;

class Task {
 public:
  virtual ~Task() = default;
  // Runs in a dispatcher's thread, and in one thread at a time. Returns the time at which the dispatcher
  // shall run it again; none: when ready() is called. It must not throw.
  virtual std::optional<Clock::time_point> run() = 0;
  // Whether its client did not answer the last call. The dispatcher lends few threads to such clients.
  virtual bool is_suspect() const = 0;
};

}  // namespace takt::events
