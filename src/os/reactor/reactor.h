// Waiting for many descriptors, timers and wake-ups with one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>

#include <takt/os/clock.h>

#include "os/poll/interest.h"

namespace takt::os {

// What a descriptor's owner implements.
class EventHandler {
 public:
  // `ready`: the part of the interest that is ready. A failure or hang-up shows as all of the interest:
  // the next read or write tells.
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

// Names one scheduled timer; never reused. none: 0.
enum class TimerId : std::uint64_t { none = 0 };

enum class ReactorError : std::uint8_t {
  already_added,  // the descriptor is registered
  not_added,      // the descriptor is not registered
  unsupported,    // not something one can wait for: a regular file, or not open
  exhausted,      // the system's limit on descriptors, watches or memory
};

// The contract, which tests/conformance/reactor holds every implementation to:
//
//  1. One thread at a time calls anything but notify(): the one in run_once(), or its owner in between.
//  2. A handler is called only from run_once(), in that thread, only for readiness it asked for.
//  3. Readiness is level-triggered: it is reported again until it is used up or the interest is withdrawn.
//     With Interest::none nothing is reported, failures and hang-ups included.
//  4. Once remove(fd) or cancel(id) has returned, that handler is not called again, even if its event was
//     already fetched; handlers may do so, and add others, for themselves or for any other descriptor, while
//     they are called. A descriptor is removed before it is closed.
//  5. A descriptor that was closed and opened again under the same number never gets its predecessor's
//  events.
//  6. A timer is called once, not before its time, in order of time; timers that are scheduled by a handler
//     wait for the next round. Timers due are called after the descriptors of the same round.
//  7. run_once(timeout) handles what is ready now; when nothing is, it waits until something is, a timer is
//     due, notify() is called, or `timeout` has passed: whichever is first. Zero only looks; a negative one
//     never passes. It returns how many handlers were called; 0 also when a signal interrupted the wait.
//  8. notify(), from any thread or a signal handler, makes the run_once() under way, or else the next one,
//     return without waiting further. Several may count as one. What the caller wrote before it is visible
//     after it.
//  9. After warm-up, an event costs no allocation and no lock. A descriptor that is always ready does not
//     starve the others.
class Reactor {
 public:
  virtual ~Reactor() = default;

  // `handler` stays alive until remove(fd).
  virtual std::expected<void, ReactorError> add(int fd, Interest interest, EventHandler* handler) = 0;
  virtual std::expected<void, ReactorError> modify(int fd, Interest interest) = 0;
  virtual std::expected<void, ReactorError> remove(int fd) = 0;

  // `handler` stays alive until it was called or cancel() has returned.
  virtual TimerId schedule(TimePoint when, TimerHandler* handler) = 0;
  // False when the timer was called or cancelled before.
  virtual bool cancel(TimerId timer) = 0;

  virtual std::size_t run_once(std::chrono::nanoseconds timeout) = 0;
  virtual void notify() noexcept = 0;
};

}  // namespace takt::os
