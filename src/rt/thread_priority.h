// The calling thread's RT-CORBA priority, and its native one.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <takt/rt/rtcorba.h>
#include <takt/server/server_call.h>

#include "server/request/upcall_context.h"
#include "threads/scheduling/scheduling.h"

namespace takt::rt {

// Setting it costs one system call if the native priority changes, and none if not. A thread with reserved
// processor time keeps its scheduling class (os::HeldReservation).
class ThreadPriority {
 public:
  struct State {
    std::int16_t priority;  // -1: none set
    std::int16_t native;    // -1: none set; the thread runs as the program has it
  };

  // An upcall that may be demoted while it runs. Until it leaves, a demoted thread stays at its low priority
  // whatever is set or restored.
  class Demotable {
   public:
    Demotable(const Demotable&) = delete;
    Demotable& operator=(const Demotable&) = delete;
    // Whether it has been demoted, perhaps by another thread. If not, a later demotion sees the priority that
    // the caller has set before.
    virtual bool is_demoted() const noexcept = 0;
    const Demotable* outer() const { return outer_; }

   protected:
    Demotable() = default;
    ~Demotable() = default;
    // The following are for its own thread. Enters before it may be demoted; the innermost one must leave
    // first.
    void enter() noexcept;
    void leave() noexcept;
    // After leave(), if it was demoted: the thread runs at its priority again, unless an outer one is
    // demoted.
    static void give_back(os::SchedulingClass scheduling_class) noexcept;

   private:
    const Demotable* outer_ = nullptr;
    bool entered_ = false;
  };

  static State present() { return state_; }
  // Returns 0 or an errno value. The RT-CORBA priority is set even if the system refuses the native one.
  static int set(RTCORBA::Priority priority, const os::Scheduling& scheduling) noexcept;
  // Restores an earlier state. If that has no native priority, the thread runs again as it did when it got
  // its first one, or as a local call has found it. pthread_getschedparam() tells, which costs a hundred
  // instructions, so requests do not ask again.
  static void restore(State state, os::SchedulingClass scheduling_class) noexcept;

  // An ending that restores that state once a call's answer has been sent.
  static server::ServerCall::Ending restoring(State state, os::SchedulingClass scheduling_class) noexcept;

  // The program may have changed how the thread runs since it was last asked.
  static void local_call_begins() noexcept {
    if (state_.native < 0 && !demotable_) knows_found_ = false;
  }

  // Sets the call whose priority a schedule determines, overriding its adapter's policies; null: none.
  // Returns the previous one.
  static const server::ServerCall* set_scheduled(const server::ServerCall* call) {
    return std::exchange(server::UpcallContext::mine().scheduled, call);
  }
  static bool is_scheduled(const server::ServerCall* call) {
    return call && call == server::UpcallContext::mine().scheduled;
  }

 private:
  static void note_found() noexcept;
  static bool is_demoted() noexcept;
  static os::Scheduling proper(os::SchedulingClass scheduling_class) noexcept {
    return state_.native < 0 ? found_ : os::Scheduling{scheduling_class, state_.native};
  }
  static int run_at(const os::Scheduling& scheduling) noexcept {
    return demotable_ ? run_though_demotable(scheduling) : os::set_scheduling(scheduling);
  }
  static int run_though_demotable(const os::Scheduling& scheduling) noexcept;

  static inline thread_local constinit State state_{.priority = -1, .native = -1};
  // How it ran before it got a native priority or could be demoted.
  static inline thread_local constinit os::Scheduling found_{};
  static inline thread_local constinit bool knows_found_ = false;
  static inline thread_local constinit const Demotable* demotable_ = nullptr;  // the innermost one
};

}  // namespace takt::rt
