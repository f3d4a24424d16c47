// Ends the reading of a connection, but for the rest of a request whose upcall has begun.
#pragma once

#include <chrono>
#include <mutex>

#include <takt/transport/stream.h>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {

// The lock is held for some instructions, and for the system call of stop(). All but stop() is called by the
// thread that serves the connection.
class ReadingStop {
 public:
  // An upcall is about to begin that may read the rest of its request. False: it must not begin, since
  // reading has stopped.
  bool begin_body() {
    const std::lock_guard lock(mutex_);
    in_body_ = !stopped_;
    has_refused_ = stopped_;
    return in_body_;
  }
  void end_body() {
    const std::lock_guard lock(mutex_);
    in_body_ = false;
  }
  // Whether begin_body() has returned false.
  bool has_refused() const { return has_refused_; }

  // Waits until then. False: reading has stopped before.
  bool wait_until(std::chrono::steady_clock::time_point time) {
    os::PriorityCondition::Lock lock(mutex_);
    return !stops_.wait_until(lock, time, [this] { return stopped_; });
  }

  // Stops reading from the stream, except in an upcall that has begun. Octets that have arrived are still
  // read. Any thread.
  void stop(transport::Stream& stream) {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    stops_.notify_all();
    if (!in_body_) stream.shut_down_reading();
  }

 private:
  os::PriorityMutex mutex_;
  os::PriorityCondition stops_;
  bool in_body_ = false;  // with mutex_
  bool stopped_ = false;  // with mutex_
  bool has_refused_ = false;
};

}  // namespace takt::server
