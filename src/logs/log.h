// The log of one ORB: from the threads that log to the place where the lines go.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "base/event_log.h"
#include "logs/log_format.h"
#include "os/log/log_output.h"
#include "threads/locks/priority_mutex.h"

namespace takt::logs {

// write() puts the line into a bounded ring (log_ring.h), and a thread of the lowest priority writes it, so a
// slow reader or disk delays no caller and inverts no priority. Lines beyond an event's rate, and lines for
// which the ring has no room, are left out and counted; a line says the counts at most once a second.
//
// The thread and the ring exist from begin() on if the level is info or more; else from the first line on,
// whose caller pays for that, with a lock. If no thread can be started, each caller writes its own line, if
// that needs no waiting.
//
// A process made by fork() logs nothing.
class Log final : public EventLog {
 public:
  // Standard error, as text.
  Log();
  // Writes what is in the ring, for a second at most.
  ~Log() override;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Call before any other thread uses the log.
  void begin(os::LogOutput output, LogFormat format);
  void write(const LogLine& line) noexcept override;
  // Waits until all lines so far are written, for `most` at most. False: some are not.
  bool flush(std::chrono::nanoseconds most) noexcept;
  // Lets the thread open the log's file anew, after it was renamed.
  void reopen() noexcept;

 private:
  class Writer;

  Writer* started() noexcept;
  void write_here(const LogLine& line) noexcept;

  os::PriorityMutex mutex_;
  os::LogOutput output_;  // the writer's thread uses it, if there is one
  LogFormat format_ = LogFormat::text;
  std::atomic<Writer*> writer_{nullptr};
};

}  // namespace takt::logs
