#include "rt/periodic/rate_group.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "os/error_text.h"
#include "rt/reservation_refusal.h"

namespace takt::rt {

std::shared_ptr<RateGroup> RateGroup::start(Owner owner, std::int16_t priority, std::vector<Site> sites,
                                            std::size_t stack_bytes) {
  const auto group = std::make_shared<RateGroup>(std::move(owner), priority, std::move(sites));
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

RateGroup::RateGroup(Owner owner, std::int16_t priority, std::vector<Site> sites)
    : owner_(std::move(owner)), priority_(priority), host_(owner_.host), to_prepare_(std::move(sites)) {}

void RateGroup::prepare(std::vector<Site> sites) {
  {
    std::lock_guard lock(mutex_);
    to_prepare_ = std::move(sites);
    ++prepares_asked_;
  }
  wake_.release();
}

void RateGroup::wait_until_prepared(os::TimePoint bound) {
  for (;;) {
    {
      std::lock_guard lock(mutex_);
      if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
      if (prepares_done_ == prepares_asked_ || stopped_) return;
    }
    if (!prepared_.acquire_until(bound))
      throw CORBA::TIMEOUT(0, CORBA::COMPLETED_NO,
                           "the thread for operations of priority " + std::to_string(priority_) +
                               " has not got ready in time: a `prepare` or a job takes longer");
  }
}

void RateGroup::reserve(const os::Reservation& reservation) {
  std::shared_ptr<os::HeldReservation> held;
  {
    std::lock_guard lock(mutex_);
    held = reserved_;
  }
  if (const int error = held ? held->reserve(reservation) : ESRCH)
    throw_not_reserved(reservation, "for the operations of priority " + std::to_string(priority_), error);
}

void RateGroup::exchange(const ReleaseHost& host, std::vector<Member> members) {
  {
    std::lock_guard lock(mutex_);
    host_ = host;
    held_.clear();
    for (Member& each : members) {  // with the lock, because the thread takes releases meanwhile
      const auto before = std::ranges::find(members_, each.site, &Member::site);
      if (each.goes_on && before != members_.end())
        each.next = plan_.entries()[static_cast<std::size_t>(before - members_.begin())].next;
    }
    members_ = std::move(members);
    plan_ = {};
    for (const Member& each : members_) {
      const ScheduledOperation& declared = each.operation->declared();
      plan_.add({.period = declared.period,
                 .sub_priority = declared.sub_priority,
                 .late = each.site->late,
                 .most_behind = each.site->most_behind,
                 .next = each.next});
    }
  }
  wake_.release();
}

void RateGroup::hold(const std::set<const PeriodicCall*>& sites) {
  {
    std::lock_guard lock(mutex_);
    held_ = sites;
    for (std::size_t i = 0; i < members_.size(); ++i) plan_.hold(i, held_.contains(members_[i].site.get()));
  }
  wake_.release();
}

bool RateGroup::wait_until_held(os::TimePoint bound) {
  for (;;) {
    {
      std::lock_guard lock(mutex_);
      if (!held_.contains(running_)) return true;
    }
    if (!job_ended_.acquire_until(bound)) return false;
  }
}

void RateGroup::stop() {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.release();
  prepared_.release();
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
  for (;;) {
    const Work work = next_work();
    if (work.over) break;
    if (work.prepare_number > 0)
      run_prepare(work);
    else if (work.job)
      call(work);
    else
      wake_.acquire_until(work.wake);
  }
  ended_.release();
}

RateGroup::Work RateGroup::next_work() {
  constexpr auto longest_sleep = std::chrono::hours(1);
  Work work;
  std::lock_guard lock(mutex_);
  if (std::exchange(running_, nullptr) && !held_.empty()) job_ended_.release();
  work.over = stopped_;
  if (prepares_done_ != prepares_asked_) {
    work.prepare_number = prepares_asked_;
    work.prepare = std::exchange(to_prepare_, {});
    return work;
  }
  const auto now = os::Clock::now();
  work.job = plan_.take(now);
  work.wake = std::min(now + longest_sleep, plan_.next());
  if (!work.job) return work;
  work.member = members_[work.job->entry];
  work.host = host_;
  running_ = work.member.site.get();
  return work;
}

void RateGroup::run_prepare(const Work& work) noexcept {
  std::exception_ptr failed;
  try {
    if (owner_.reserves && work.prepare_number == 1) {
      auto held = os::HeldReservation::begin();
      std::lock_guard lock(mutex_);
      reserved_ = std::move(held);
    }
    if (priority_ >= 0)
      owner_.host.priorities->run_at(priority_);
    else if (!owner_.reserves)
      os::set_scheduling({});  // does not inherit the creator's scheduling
    if (work.prepare_number == 1 && owner_.before_serving) owner_.before_serving();
    for (const Site& each : work.prepare)
      if (each->prepare) each->prepare();
  } catch (...) {
    failed = std::current_exception();
  }
  {
    std::lock_guard lock(mutex_);
    prepares_done_ = work.prepare_number;
    failed_ = failed;
  }
  prepared_.release();
}

void RateGroup::call(const Work& work) noexcept {
  Operation& operation = *work.member.operation;
  const ReleasePlan::Job& job = *work.job;
  const auto now = os::Clock::now();
  if (job.left_out > 0) {
    operation.record().count(OperationRecord::left_out, job.left_out);
    work.host.report(ScheduleReport::Kind::releases_left_out, operation, now - job.first_left_out,
                     operation.declared().period);
  }
  if (operation.refuses(now)) return;
  const Release release(work.host, operation, nullptr, job.release, now);
  try {
    work.member.site->call({.release = job.release, .left_out = job.left_out});
  } catch (...) {  // exceptions are counted and reported
    operation.record().count(OperationRecord::failures);
    work.host.report(ScheduleReport::Kind::failed, operation, os::Clock::now() - job.release,
                     operation.declared().deadline);
  }
}

}  // namespace takt::rt
