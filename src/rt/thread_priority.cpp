#include "rt/thread_priority.h"

#include "reference/context/thread_context.h"

namespace takt::rt {

int ThreadPriority::set(RTCORBA::Priority priority, const os::Scheduling& scheduling) noexcept {
  if (state_.priority != priority) reference::ThreadContext::mine().use_priority(priority);
  state_.priority = priority;
  if (state_.native == scheduling.priority) return 0;
  state_.native = static_cast<std::int16_t>(scheduling.priority);
  return os::set_scheduling(scheduling);
}

void ThreadPriority::restore(State state, os::SchedulingClass scheduling_class) noexcept {
  if (state.priority != state_.priority)
    reference::ThreadContext::mine().use_priority(state.priority < 0 ? std::nullopt
                                                                     : std::optional(state.priority));
  if (state.native != state_.native)
    os::set_scheduling(state.native < 0 ? os::Scheduling{} : os::Scheduling{scheduling_class, state.native});
  state_ = state;
}

}  // namespace takt::rt
