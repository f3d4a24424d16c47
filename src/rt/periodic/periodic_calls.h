// All periodic calls of an ORB.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "rt/periodic/rate_group.h"
#include "threads/locks/priority_mutex.h"

namespace takt::rt {

// Any thread.
class PeriodicCalls {
 public:
  // Like PeriodicDispatcher::add(); `operation` is from the schedule.
  void add(PeriodicCall call, std::shared_ptr<Operation> operation);
  os::TimePoint start(const RateGroup::Owner& owner, const PeriodicOptions& options);
  // Permanently.
  bool stop(std::chrono::nanoseconds bound);

  // Parameters of RunTimeScheduler::change(), whose exceptions it throws.
  struct Change {
    std::function<std::shared_ptr<Operation>(std::string_view)> operation;  // null: not in the schedule
    std::function<void()> take_effect;  // called once, while no changed operation runs; may throw
    ReleaseHost host;
    os::TimePoint bound;
  };
  // Throws BAD_INV_ORDER in a job, which cannot wait for itself to end.
  void refuse_in_job() const;
  // Returns the time at which it took effect. One thread at a time. Calls of stop() do not wait for it; a
  // change that is under way then is for operations that are no longer called.
  os::TimePoint change(const Change& change);

 private:
  enum class State { adding, starting, running, stopped };
  using Members = std::vector<RateGroup::Member>;  // without an operation if it is not in the schedule
  using Groups = std::map<std::int16_t, std::shared_ptr<RateGroup>>;  // by priority
  using Sites = std::map<std::int16_t, std::vector<RateGroup::Site>>;

  void require_adding(const char* what) const;
  Groups start_groups(const RateGroup::Owner& owner, const Sites& sites, os::TimePoint bound);
  // The following three are for a change: without the lock, with the groups as they were.
  void prepare_for(const Members& next, const Groups& present, const RateGroup::Owner& owner, Groups& added,
                   os::TimePoint bound);
  void hold_changed_members(const Groups& present, const Members& next, os::TimePoint bound);
  void let_go(const Groups& present);
  // Reserves for the threads what they need for both, or one if the other is null.
  void reserve(const Groups& groups, const Members* before, const Members* after) const;
  // Reduces reservations that were admitted before.
  void reserve_less(const Groups& groups, const Members& members) const noexcept;
  Groups exchange(const Members& next, const ReleaseHost& host, os::TimePoint at);
  static bool stop_all(const Groups& groups, os::TimePoint bound);

  mutable os::PriorityMutex mutex_;
  State state_ = State::adding;
  Members members_;
  Groups groups_;
  std::shared_ptr<const RateGroup::Owner> owner_;  // from start() on
  PeriodicOptions options_;                        // from start() on
};

}  // namespace takt::rt
