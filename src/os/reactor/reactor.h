// Waiting for many descriptors, timers and notifications with one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>

#include <takt/os/clock.h>

#include "os/poll/interest.h"

namespace takt::os {

// Interface of a descriptor's owner.
class EventHandler {
 public:
  // `ready`: the part of the interest that is ready. A failure or hang-up is reported as the whole interest;
  // the next read or write returns the error.
  virtual void on_ready(Interest ready) noexcept = 0;

 protected:
  ~EventHandler() = default;
};

class TimerHandler {
 public:
  virtual void on_timer() noexcept = 0;

 protected:
  ~TimerHandler() = default;
};

// Identifies a scheduled timer; never reused. none: 0.
enum class TimerId : std::uint64_t { none = 0 };

enum class ReactorError : std::uint8_t {
  already_added,  // the descriptor is registered
  not_added,      // the descriptor is not registered
  unsupported,    // a descriptor that cannot be polled: a regular file, or closed
  exhausted,      // the system's limit on descriptors, watches or memory
};

// Contract, which tests/conformance/reactor checks for every implementation:
//
//  1. One thread at a time calls any function but notify(): the thread in run_once(), or the owner between
//     calls of it.
//  2. Handlers are called only from run_once(), in its thread, and only for readiness that they asked for.
//  3. Readiness is level-triggered: it is reported until it is used up or the interest is withdrawn. With
//     Interest::none nothing is reported, not even failures and hang-ups.
//  4. Once remove(fd) or cancel(id) has returned, that handler is not called again, even if its event was
//     already fetched. Handlers may call these functions, and add others, for themselves or for any other
//     descriptor. A descriptor must be removed before it is closed.
//  5. A descriptor that was closed and reopened under the same number never gets events of its predecessor.
//  6. A timer is called once, not before its time, in order of time. Timers that are scheduled by a handler
//     wait for the next round. Due timers are called after the descriptors of the same round.
//  7. run_once(timeout) handles what is ready now. If nothing is, it waits until something is, a timer is
//     due, notify() is called, or `timeout` has passed. Zero does not wait; a negative timeout never passes.
//     Returns the number of handlers called, which is 0 after a signal.
//  8. notify(), from any thread or a signal handler, makes the present run_once(), or else the next one,
//     return without further waiting. Several calls may count as one. It publishes the caller's earlier
//     writes.
//  9. After warm-up, an event costs no allocation and no lock. A descriptor that is always ready does not
//     starve the others.
// 10. What handlers have written may leave with the next run_once(). flush() sends it now. The owner calls it
//     before another thread calls anything, and when it will not call run_once() soon.
class Reactor {
 public:
  virtual ~Reactor() = default;

  // `handler` must live until remove(fd).
  virtual std::expected<void, ReactorError> add(int fd, Interest interest, EventHandler* handler) = 0;
  virtual std::expected<void, ReactorError> modify(int fd, Interest interest) = 0;
  virtual std::expected<void, ReactorError> remove(int fd) = 0;

  // `handler` must live until it was called or cancel() has returned.
  virtual TimerId schedule(TimePoint when, TimerHandler* handler) = 0;
  // Returns false if the timer was called or cancelled before.
  virtual bool cancel(TimerId timer) = 0;

  virtual std::size_t run_once(std::chrono::nanoseconds timeout) = 0;
  virtual void notify() noexcept = 0;
  virtual void flush() {}
  // Whether another handler than that descriptor's would be called now. False if it does not know.
  virtual bool has_others(int) { return false; }
};

}  // namespace takt::os
