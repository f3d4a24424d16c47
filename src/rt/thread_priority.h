// The calling thread's RT-CORBA priority, and its native one.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <takt/rt/rtcorba.h>

#include "os/threads/scheduling.h"
#include "server/request/upcall_context.h"

namespace takt::rt {

// Setting it costs one system call if the native priority changes, and none if not. A thread with reserved
// processor time keeps its scheduling class (os::HeldReservation).
class ThreadPriority {
 public:
  struct State {
    std::int16_t priority;  // -1: none set
    std::int16_t native;    // -1: as the thread was started
  };

  static State present() { return state_; }
  // Returns 0 or an errno value. The RT-CORBA priority is set even if the system refuses the native one.
  static int set(RTCORBA::Priority priority, const os::Scheduling& scheduling) noexcept;
  // Restores an earlier state.
  static void restore(State state, os::SchedulingClass scheduling_class) noexcept;

  // Sets the call whose priority a schedule determines, overriding its adapter's policies; null: none.
  // Returns the previous one.
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
