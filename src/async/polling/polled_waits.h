// How threads wait for calls that are polled.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include <takt/async/poller.h>

#include "reference/context/thread_context.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/priority_loan.h"

namespace takt::async {

struct Signal {
  os::PriorityMutex mutex;
  os::PriorityCondition changed;
};

// The signal's mutex guards all of it but the constants.
struct PolledCall::Waits {
  enum class State : std::uint8_t {
    waits,
    ready,
    gone
  };  // gone: the outcome was taken, or given to a handler
  enum class Last : std::uint8_t { none, of_poller, of_call };  // the source of the last exception

  const std::optional<giop::Priority> priority = reference::ThreadContext::mine().priority();  // the caller's
  const os::Urgency urgency = os::remembered_urgency();
  Signal signal;
  std::shared_ptr<Signal> of_set;  // the signal of the call's set; null if it is in none
  CORBA::object_reference<Messaging::ReplyHandler> handler;
  State state = State::waits;
  Last last = Last::none;
};

// Waits until done(), `timeout` milliseconds at most; as long as it takes for Pollable::_for_ever. Returns
// done().
template <class Done>
bool wait_for(Signal& signal, os::PriorityCondition::Lock& lock, std::uint32_t timeout, const Done& done) {
  if (done() || timeout == 0) return done();
  if (timeout == CORBA::Pollable::_for_ever) {
    signal.changed.wait(lock, done);
    return true;
  }
  return signal.changed.wait_for(lock, std::chrono::milliseconds(timeout), done);
}

// Throws NO_RESPONSE if nothing was waited for, else TIMEOUT.
[[noreturn]] void throw_not_ready(std::uint32_t timeout, const char* why);

}  // namespace takt::async
