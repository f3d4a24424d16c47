// Work of a dispatcher, which may block in a call to a client.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace takt::events {

using Clock = std::chrono::steady_clock;

// How far the client that a task calls can be trusted to answer. The dispatcher lends few threads to clients
// that may hang.
enum class Standing : std::uint8_t {
  proven,    // it has answered the last call in time, or the task calls no client
  slow,      // it has answered the last call late; or while many hang, only a question
  unproven,  // it has not been called yet
  suspect,   // it did not answer the last call
  leaving,   // it is no longer connected, and is only told so
};

class Task {
 public:
  virtual ~Task() = default;
  // Runs in a dispatcher's thread, and in one thread at a time. Returns the time at which the dispatcher
  // shall run it again; none: when ready() is called. If it throws, for lack of memory, it runs again after a
  // pause, and must still count as scheduled.
  virtual std::optional<Clock::time_point> run() = 0;
  // Any thread.
  virtual Standing standing() const = 0;

 private:
  friend class TaskList;
  std::shared_ptr<Task> next_;  // in its list
};

}  // namespace takt::events
