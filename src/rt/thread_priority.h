// The RT-CORBA priority of the calling thread, and the native one that follows from it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <takt/rt/rtcorba.h>

#include "os/threads/scheduling.h"
#include "server/upcall_context.h"

namespace takt::rt {

// What a thread runs at. Setting it costs one system call where the native priority changes, and none where
// it does not. A thread that has processor time reserved keeps its class (os::HeldReservation).
class ThreadPriority {
 public:
  struct State {
    std::int16_t priority;  // -1: none of its own
    std::int16_t native;    // -1: as the thread was started
  };

  static State present() { return state_; }
  // An errno value, or 0. The priority holds even where the system refuses the native one.
  static int set(RTCORBA::Priority priority, const os::Scheduling& scheduling) noexcept;
  // Back to what it was.
  static void restore(State state, os::SchedulingClass scheduling_class) noexcept;

  // The call that runs at what a schedule says, whatever its adapter's policies do; null: none does. Gives
  // the one before.
  static const server::ServerCall* set_scheduled(const server::ServerCall* call) {
    return std::exchange(server::UpcallContext::mine().scheduled, call);
  }
  static bool is_scheduled(const server::ServerCall* call) {
    return call && call == server::UpcallContext::mine().scheduled;
  }

 private:
  static inline thread_local constinit State state_{.priority = -1, .native = -1};
};

}  // namespace takt::rt
