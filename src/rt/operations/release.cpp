#include "rt/operations/release.h"

#include <cstdio>
#include <string_view>

#include <takt/reference/quality.h>

#include "threads/scheduling/held_reservation.h"

namespace takt::rt {

using std::chrono::nanoseconds;

namespace {

// The client's deadline takes precedence over the schedule's.
Clock::time_point due_time(const Operation& operation, Clock::time_point arrived) {
  if (const Quality* quality = present_quality(); quality && quality->deadline != Quality::no_deadline)
    return quality->deadline;
  return operation.deadline.count() > 0 ? arrived + operation.deadline : Clock::time_point::max();
}

[[gnu::cold]] void log_report(EventLog& log, LogEvent event, std::string_view operation, nanoseconds took,
                              nanoseconds allowed) noexcept {
  if (!log.takes(event)) return;
  constexpr auto us = [](nanoseconds time) { return time.count() / 1000; };
  char reason[80];
  const int size = std::snprintf(reason, sizeof reason, "took %lld us, of %lld us that it may take",
                                 static_cast<long long>(us(took)), static_cast<long long>(us(allowed)));
  log.write({.event = event, .operation = operation, .reason = {reason, static_cast<std::size_t>(size)}});
}

}  // namespace

void ReleaseHost::report(ScheduleReport::Kind kind, const Operation& operation, nanoseconds took,
                         nanoseconds allowed) const noexcept {
  const bool missed = kind == ScheduleReport::Kind::deadline_missed;
  if (EventLog* const log = priorities ? priorities->log.get() : nullptr;
      log && (missed || kind == ScheduleReport::Kind::overrun))
    log_report(*log, missed ? LogEvent::deadline_missed : LogEvent::overrun, operation.record().name(), took,
               allowed);
  if (reporter)
    reporter->put({.kind = kind, .operation = operation.record().name(), .took = took, .allowed = allowed});
}

Release::Release(const ReleaseHost& host, Operation& operation, server::ServerCall* call,
                 Clock::time_point arrived, Clock::time_point now, bool demoted)
    : host_(host),
      operation_(operation),
      arrived_(arrived),
      began_(now),
      due_(due_time(operation, arrived)),
      before_(ThreadPriority::present()),
      call_(call),
      outer_(ThreadPriority::set_scheduled(operation.priority >= 0 ? call : nullptr)) {
  operation.record().count(OperationRecord::begun);
  operation.record().note_begin(now - arrived);
  if (operation.priority >= 0) host_.priorities->run_upcall_at(operation.priority);
  if (call) {  // the adapter may replace this with an ending that restores the same state
    call->at_end(ThreadPriority::restoring(before_, host_.priorities->scheduling_class()));
    if (ThreadPriority::present().native != before_.native) call->leave_before_end();
  }
  if (demoted) demote();
  if (!operation.has_budget()) return;
  thread_ = os::RunningThread::mine();
  used_before_ = thread_.processor_time().value_or(nanoseconds::zero());
  // The kernel stops a thread with a reservation, which has no priority to lose.
  const bool demotes = operation.declared().on_overrun == OnOverrun::demote && !began_demoted_;
  if (!host_.watch || !operation.acts_on_overrun() || (demotes && os::HeldReservation::is_held())) return;
  if (demotes) enter();
  watched_ = host_.watch->begin(operation, thread_, used_before_, now);
}

Release::~Release() {
  const auto now = Clock::now();
  leave();
  const auto used = operation_.has_budget() ? end_budget() : nanoseconds::zero();
  if (began_demoted_) give_back(host_.priorities->scheduling_class());
  if (!call_) ThreadPriority::restore(before_, host_.priorities->scheduling_class());
  ThreadPriority::set_scheduled(outer_);
  operation_.record().note_end(now - arrived_, used);
  if (due_ >= now) return;
  operation_.record().count(OperationRecord::deadlines_missed);
  host_.priorities->present_lane().deadlines_missed.fetch_add(1, std::memory_order_relaxed);
  host_.report(ScheduleReport::Kind::deadline_missed, operation_, now - arrived_, due_ - arrived_);
}

nanoseconds Release::end_budget() {
  const nanoseconds used = thread_.processor_time().value_or(used_before_) - used_before_;
  BudgetWatch::Ended ended;
  if (host_.watch) ended = host_.watch->end(watched_);
  if (ended.ran_at) give_back(host_.priorities->scheduling_class());
  if (used <= operation_.execution && !ended.told) return used;
  host_.priorities->present_lane().overruns.fetch_add(1, std::memory_order_relaxed);
  if (!ended.told) {
    operation_.record().count(OperationRecord::overruns);
    host_.report(ScheduleReport::Kind::overrun, operation_, used, operation_.execution);
  }
  if (operation_.declared().on_overrun == OnOverrun::refuse) operation_.suspend_for(began_, used);
  if (ended.told) operation_.overrun_ends();
  return used;
}

// A thread with a reservation keeps it, because the kernel already bounds its use.
void Release::demote() {
  if (os::HeldReservation::is_held()) return;
  enter();
  began_demoted_ = os::RunningThread::mine().demote().has_value();
  if (began_demoted_)
    operation_.record().count(OperationRecord::demotions);
  else
    leave();
}

bool Release::is_demoted() const noexcept {
  return began_demoted_ || (host_.watch && host_.watch->has_changed(watched_));
}

}  // namespace takt::rt
