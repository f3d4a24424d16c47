// Operations that are called at their rates by one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include <takt/rt/periodic.h>

#include "os/threads/priority_mutex.h"
#include "os/threads/semaphore.h"
#include "os/threads/thread.h"
#include "rt/schedule/periodic/release_plan.h"
#include "rt/schedule/release.h"

namespace takt::rt {

// The thread holds the group, so that a job that does not end may be left alone. Any thread.
class RateGroup {
 public:
  struct Member {
    std::shared_ptr<const PeriodicCall> site;
    std::shared_ptr<Operation> operation;
    // Its next release; and whether it has been prepared.
    os::TimePoint next = os::no_deadline;
  };
  // What `host` needs lives as long as the group, and `alive` with it.
  struct Owner {
    ReleaseHost host;
    std::shared_ptr<const void> alive;
  };

  // Of that RT-CORBA priority; -1: an ordinary thread. NO_RESOURCES where there is no thread to be had. It
  // prepares the members, and then waits for begin().
  static std::shared_ptr<RateGroup> start(Owner owner, std::int16_t priority, std::vector<Member> members,
                                          std::size_t stack_bytes);
  explicit RateGroup(Owner owner, std::int16_t priority, std::vector<Member> members);

  // Throws what a member's `prepare` has thrown, and TIMEOUT where it takes longer.
  void wait_until_ready(os::TimePoint bound);
  // Each member's phase counts from then.
  void begin(os::TimePoint first);
  // No job begins any more. One at the most runs.
  void stop();
  // Waits until none does. False: one still runs, and its thread ends with it. Not in a job: true.
  bool wait_until_stopped(os::TimePoint bound);

  std::int16_t priority() const { return priority_; }

 private:
  struct Work;
  void run();
  bool prepare_members();
  void call(const Member& member, const ReleasePlan::Job& job) noexcept;

  const Owner owner_;
  const std::int16_t priority_;
  os::Semaphore ready_, wake_, ended_;
  std::exception_ptr failed_;  // before it is ready
  os::Thread thread_;

  os::PriorityMutex mutex_;  // for what follows
  std::vector<Member> members_;
  ReleasePlan plan_;  // numbered as members
  bool stopped_ = false;
};

}  // namespace takt::rt
