#include "rt/thread_priority.h"

#include <bit>

#include "reference/context/thread_context.h"
#include "threads/scheduling/running_thread.h"
#include "threads/scheduling/shared_loan.h"

namespace takt::rt {

int ThreadPriority::set(RTCORBA::Priority priority, const os::Scheduling& scheduling) noexcept {
  if (state_.priority != priority) reference::ThreadContext::mine().use_priority(priority);
  state_.priority = priority;
  if (state_.native == scheduling.priority) return 0;
  if (!knows_found_) note_found();
  state_.native = static_cast<std::int16_t>(scheduling.priority);
  const int error = run_at(scheduling);
  os::SharedLoan::settle_here();
  return error;
}

void ThreadPriority::restore(State state, os::SchedulingClass scheduling_class) noexcept {
  if (state.priority != state_.priority)
    reference::ThreadContext::mine().use_priority(state.priority < 0 ? std::nullopt
                                                                     : std::optional(state.priority));
  const bool changes = state.native != state_.native;
  state_ = state;
  if (changes) run_at(proper(scheduling_class));
}

server::ServerCall::Ending ThreadPriority::restoring(State state,
                                                     os::SchedulingClass scheduling_class) noexcept {
  struct Restored {
    State state;
    os::SchedulingClass scheduling_class;
  };
  constexpr auto run = [](std::uint64_t packed) noexcept {
    const auto [before, its_class] = std::bit_cast<Restored>(packed);
    restore(before, its_class);
  };
  return {run, std::bit_cast<std::uint64_t>(Restored{state, scheduling_class})};
}

[[gnu::cold]] void ThreadPriority::note_found() noexcept {
  found_ = os::scheduling();
  knows_found_ = true;
}

bool ThreadPriority::is_demoted() noexcept {
  for (const Demotable* each = demotable_; each; each = each->outer())
    if (each->is_demoted()) return true;
  return false;
}

// Asks again afterwards, because another thread may demote this one meanwhile.
[[gnu::cold]] int ThreadPriority::run_though_demotable(const os::Scheduling& scheduling) noexcept {
  if (is_demoted()) return 0;
  const int error = os::set_scheduling(scheduling);
  if (error == 0 && is_demoted()) os::RunningThread::mine().demote();
  return error;
}

void ThreadPriority::Demotable::enter() noexcept {
  if (!knows_found_) note_found();
  outer_ = std::exchange(demotable_, this);
  entered_ = true;
}

void ThreadPriority::Demotable::leave() noexcept {
  if (std::exchange(entered_, false)) demotable_ = outer_;
}

void ThreadPriority::Demotable::give_back(os::SchedulingClass scheduling_class) noexcept {
  run_at(proper(scheduling_class));
}

}  // namespace takt::rt
