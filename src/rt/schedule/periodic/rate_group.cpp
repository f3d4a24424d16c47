#include "rt/schedule/periodic/rate_group.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>

#include "os/error_text.h"

namespace takt::rt {

std::shared_ptr<RateGroup> RateGroup::start(Owner owner, std::int16_t priority, std::vector<Member> members,
                                            std::size_t stack_bytes) {
  const auto group = std::make_shared<RateGroup>(std::move(owner), priority, std::move(members));
  const std::string name = priority < 0 ? "takt-rate" : "takt-rate-" + std::to_string(priority);
  auto thread =
      os::Thread::start({.name = name, .stack_bytes = stack_bytes}, [held = group] { held->run(); });
  if (!thread)
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                              "no thread to call operations of priority " + std::to_string(priority) + ": " +
                                  os::error_text(thread.error()));
  group->thread_ = std::move(*thread);
  return group;
}

RateGroup::RateGroup(Owner owner, std::int16_t priority, std::vector<Member> members)
    : owner_(std::move(owner)), priority_(priority), members_(std::move(members)) {}

void RateGroup::wait_until_ready(os::TimePoint bound) {
  if (!ready_.acquire_until(bound))
    throw CORBA::TIMEOUT(0, CORBA::COMPLETED_NO,
                         "the thread for operations of priority " + std::to_string(priority_) +
                             " has not got ready: their `prepare` takes longer than `patience`");
  if (failed_) std::rethrow_exception(failed_);
}

void RateGroup::begin(os::TimePoint first) {
  {
    std::lock_guard lock(mutex_);
    for (Member& each : members_) {
      const ScheduledOperation& declared = each.operation->declared();
      plan_.add({.period = declared.period,
                 .sub_priority = declared.sub_priority,
                 .late = each.site->late,
                 .most_behind = each.site->most_behind,
                 .next = first + declared.phase});
    }
  }
  wake_.release();
}

void RateGroup::stop() {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.release();
}

bool RateGroup::wait_until_stopped(os::TimePoint bound) {
  if (thread_.is_current()) return true;
  if (!ended_.acquire_until(bound)) {
    thread_.detach();
    return false;
  }
  thread_.join();
  return true;
}

void RateGroup::run() {
  const bool prepared = prepare_members();
  ready_.release();
  constexpr auto longest_sleep = std::chrono::hours(1);
  while (prepared) {
    std::optional<ReleasePlan::Job> job;
    Member member;
    const auto now = os::Clock::now();
    os::TimePoint wake = now + longest_sleep;
    {
      std::lock_guard lock(mutex_);
      if (stopped_) break;
      job = plan_.take(now);
      if (job)
        member = members_[job->entry];
      else
        wake = std::min(wake, plan_.next());
    }
    if (job)
      call(member, *job);
    else
      wake_.acquire_until(wake);
  }
  ended_.release();
}

bool RateGroup::prepare_members() {
  try {
    if (priority_ >= 0)
      owner_.host.real_time.run_at(priority_);
    else
      os::set_scheduling({});  // whoever made us may have been a real-time thread
    for (const Member& each : members_)
      if (each.site->prepare) each.site->prepare();
  } catch (...) {
    failed_ = std::current_exception();
  }
  return !failed_;
}

void RateGroup::call(const Member& member, const ReleasePlan::Job& job) noexcept {
  Operation& operation = *member.operation;
  const auto now = os::Clock::now();
  if (job.left_out > 0) {
    operation.record().count(OperationRecord::left_out, job.left_out);
    owner_.host.report(ScheduleReport::Kind::releases_left_out, operation, now - job.first_left_out,
                       operation.declared().period);
  }
  if (operation.refuses(now)) return;
  const Release release(owner_.host, operation, nullptr, job.release, now);
  try {
    member.site->call({.release = job.release, .left_out = job.left_out});
  } catch (...) {  // the application's to know
    operation.record().count(OperationRecord::failures);
    owner_.host.report(ScheduleReport::Kind::failed, operation, os::Clock::now() - job.release,
                       operation.declared().deadline);
  }
}

}  // namespace takt::rt
