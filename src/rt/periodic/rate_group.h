// Operations that are called at their rates by one thread.
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

#include "os/threads/held_reservation.h"
#include "os/threads/priority_mutex.h"
#include "os/threads/semaphore.h"
#include "os/threads/thread.h"
#include "rt/operations/release.h"
#include "rt/periodic/release_plan.h"

namespace takt::rt {

// The thread holds the group, so that a job that does not end may be left alone. Any thread.
class RateGroup {
 public:
  using Site = std::shared_ptr<const PeriodicCall>;
  struct Member {
    Site site;
    std::shared_ptr<Operation> operation;
    os::TimePoint next = os::no_deadline;  // release
  };
  // What `host` needs lives as long as the group, and `alive` with it.
  struct Owner {
    ReleaseHost host;
    std::shared_ptr<const void> alive;
    bool reserves = false;                      // its thread is to have a reservation, by reserve()
    std::function<void()> before_serving = {};  // once in its thread, at its priority; may be empty
  };

  // Of that RT-CORBA priority; -1: an ordinary thread. It has no members yet, and prepares for `sites` at
  // once. NO_RESOURCES where there is no thread to be had.
  static std::shared_ptr<RateGroup> start(Owner owner, std::int16_t priority, std::vector<Site> sites,
                                          std::size_t stack_bytes);
  explicit RateGroup(Owner owner, std::int16_t priority, std::vector<Site> sites);

  // Likewise for further ones, between jobs.
  void prepare(std::vector<Site> sites);
  // After each. Throws what a site's `prepare` has thrown, and TIMEOUT where it takes longer.
  void wait_until_prepared(os::TimePoint bound);

  // Once it is prepared: processor time for its thread. NO_RESOURCES where the kernel has no such time left,
  // NO_PERMISSION, and BAD_PARAM for times that it does not take.
  void reserve(const os::Reservation& reservation);

  // They are the members from now on. A job that runs goes on.
  void exchange(const ReleaseHost& host, std::vector<Member> members);
  std::vector<Member> members() const;
  // No job of these members begins until exchange(), or until it is called with none.
  void hold(const std::set<const PeriodicCall*>& sites);
  // Waits until none of them runs. False: one still does.
  bool wait_until_held(os::TimePoint bound);

  // No job begins any more. One at the most runs.
  void stop();
  // Waits until none does. False: one still runs, and its thread ends with it. Not in a job: true.
  bool wait_until_stopped(os::TimePoint bound);
  // Whether the calling thread is its.
  bool is_current() const { return thread_.is_current(); }

  std::int16_t priority() const { return priority_; }

 private:
  struct Work {  // what the thread does next
    bool over = false;
    unsigned prepare_number = 0;  // 0: there is nothing to prepare
    std::vector<Site> prepare;
    std::optional<ReleasePlan::Job> job;
    Member member;  // whose it is
    ReleaseHost host;
    os::TimePoint wake;  // where there is nothing to do
  };
  void run();
  Work next_work();
  void run_prepare(const Work& work) noexcept;
  void call(const Work& work) noexcept;

  const Owner owner_;
  const std::int16_t priority_;
  os::Semaphore prepared_, wake_, ended_, job_ended_;
  os::Thread thread_;

  mutable os::PriorityMutex mutex_;  // for what follows
  std::vector<Member> members_;
  ReleasePlan plan_;  // numbered as members
  ReleaseHost host_;
  std::vector<Site> to_prepare_;
  std::shared_ptr<os::HeldReservation> reserved_;  // its thread's, if it is to have one
  unsigned prepares_asked_ = 1, prepares_done_ = 0;
  std::exception_ptr failed_;
  std::set<const PeriodicCall*> held_;
  const PeriodicCall* running_ = nullptr;  // null: no job runs
  bool stopped_ = false;
};

}  // namespace takt::rt
