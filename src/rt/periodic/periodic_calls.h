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
  // Returns the time at which it took effect.
  os::TimePoint change(const Change& change);

 private:
  enum class State { adding, starting, running, stopped };
  using Members = std::vector<RateGroup::Member>;  // without an operation if it is not in the schedule
  using Groups = std::map<std::int16_t, std::shared_ptr<RateGroup>>;  // by priority
  using Sites = std::map<std::int16_t, std::vector<RateGroup::Site>>;

  void require_adding(const char* what) const;
  Groups start_groups(const RateGroup::Owner& owner, const Sites& sites, os::TimePoint bound);
  void prepare_for(const Members& next, Groups& added, os::TimePoint bound);
  void hold_changed_members(const Members& next, os::TimePoint bound);
  void let_go();
  // Reserves for the threads what they need for both, or one if the other is null.
  void reserve(const Groups& groups, const Members* before, const Members* after) const;
  // Reduces reservations that were admitted before.
  void reserve_less(const Members& members) const noexcept;
  void exchange(const Members& next, const ReleaseHost& host, os::TimePoint at);
  static bool stop_all(const Groups& groups, os::TimePoint bound);

  os::PriorityMutex mutex_;
  State state_ = State::adding;
  Members members_;
  Groups groups_;
  std::shared_ptr<const RateGroup::Owner> owner_;  // from start() on
  PeriodicOptions options_;                        // from start() on
};

}  // namespace takt::rt
