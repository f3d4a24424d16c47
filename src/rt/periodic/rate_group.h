// Operations that one thread calls periodically.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <takt/rt/periodic.h>

#include "rt/operations/release.h"
#include "rt/periodic/release_plan.h"
#include "threads/locks/priority_mutex.h"
#include "threads/locks/semaphore.h"
#include "threads/scheduling/held_reservation.h"
#include "threads/thread.h"

namespace takt::rt {

// The thread shares ownership of the group, so that a job that does not end can be abandoned. Any thread. It
// is large because what it counts are members.
class RateGroup {
 public:
  using Site = std::shared_ptr<const PeriodicCall>;
  struct Member {
    Site site;
    std::shared_ptr<Operation> operation;
    os::TimePoint next = os::no_deadline;  // the next release
    bool goes_on = false;                  // in exchange(): keeps the time that it has in the present plan
  };
  // `alive` keeps the objects that `host` points to alive as long as the group.
  struct Owner {
    ReleaseHost host;
    std::shared_ptr<const void> alive;
    bool reserves = false;                      // reserve() will be called for its thread
    std::function<void()> before_serving = {};  // run once in its thread, at its priority; may be empty
  };

  // `priority`: RT-CORBA priority; -1: an ordinary thread. The group starts without members, and prepares
  // `sites` at once. Throws NO_RESOURCES if no thread is available.
  static std::shared_ptr<RateGroup> start(Owner owner, std::int16_t priority, std::vector<Site> sites,
                                          std::size_t stack_bytes);
  explicit RateGroup(Owner owner, std::int16_t priority, std::vector<Site> sites);

  // Prepares further sites, between jobs.
  void prepare(std::vector<Site> sites);
  // Call after start() and after each prepare(). Returns early if the group is stopped. Throws what a site's
  // `prepare` has thrown, or TIMEOUT at `bound`.
  void wait_until_prepared(os::TimePoint bound);

  // Reserves processor time for its thread, once it is prepared. Throws NO_RESOURCES if too little is free,
  // NO_PERMISSION, and BAD_PARAM for invalid times.
  void reserve(const os::Reservation& reservation);

  // Replaces the members. A running job continues. A member that goes on, and is a member already, is
  // released next when it would have been.
  void exchange(const ReleaseHost& host, std::vector<Member> members);
  // No job of these members begins until exchange(), or until a call with an empty set.
  void hold(const std::set<const PeriodicCall*>& sites);
  // Waits until none of them runs. Returns false if one still does.
  bool wait_until_held(os::TimePoint bound);

  // No further job begins. At most one still runs.
  void stop();
  // Waits until no job runs. Returns false if one still does; its thread ends with it. Inside a job, returns
  // true.
  bool wait_until_stopped(os::TimePoint bound);
  // Whether the calling thread is this group's.
  bool is_current() const { return thread_.is_current(); }

  std::int16_t priority() const { return priority_; }

 private:
  struct Work {  // the thread's next action
    bool over = false;
    unsigned prepare_number = 0;  // 0: nothing to prepare
    std::vector<Site> prepare;
    std::optional<ReleasePlan::Job> job;
    Member member;  // the job's member
    ReleaseHost host;
    os::TimePoint wake;  // when to wake if there is nothing to do
  };
  void run();
  Work next_work();
  void run_prepare(const Work& work) noexcept;
  void call(const Work& work) noexcept;

  const Owner owner_;
  const std::int16_t priority_;
  os::Semaphore prepared_, wake_, ended_, job_ended_;
  os::Thread thread_;

  mutable os::PriorityMutex mutex_;  // guards the following members
  std::vector<Member> members_;
  ReleasePlan plan_;  // same indices as members_
  ReleaseHost host_;
  std::vector<Site> to_prepare_;
  std::shared_ptr<os::HeldReservation> reserved_;  // the thread's reservation, if it gets one
  unsigned prepares_asked_ = 1, prepares_done_ = 0;
  std::exception_ptr failed_;
  std::set<const PeriodicCall*> held_;
  const PeriodicCall* running_ = nullptr;  // null: no job runs
  bool stopped_ = false;
};

}  // namespace takt::rt
