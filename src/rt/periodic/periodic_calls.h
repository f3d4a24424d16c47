// All operations that an ORB calls at their rates.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "os/threads/priority_mutex.h"
#include "rt/periodic/rate_group.h"

namespace takt::rt {

// Any thread.
class PeriodicCalls {
 public:
  // As PeriodicDispatcher; `operation` is the schedule's.
  void add(PeriodicCall call, std::shared_ptr<Operation> operation);
  os::TimePoint start(const RateGroup::Owner& owner, const PeriodicOptions& options);
  // For good.
  bool stop(std::chrono::nanoseconds bound);

  // Another schedule (RunTimeScheduler::change(), whose exceptions these are).
  struct Change {
    std::function<std::shared_ptr<Operation>(std::string_view)> operation;  // null: it is not in it
    std::function<void()> take_effect;  // called once, while nothing runs that changes; may throw
    ReleaseHost host;
    os::TimePoint bound;
  };
  // Gives when it took effect.
  os::TimePoint change(const Change& change);

 private:
  enum class State { adding, starting, running, stopped };
  using Members = std::vector<RateGroup::Member>;  // without an operation: not in the schedule
  using Groups = std::map<std::int16_t, std::shared_ptr<RateGroup>>;  // by priority
  using Sites = std::map<std::int16_t, std::vector<RateGroup::Site>>;

  void require_adding(const char* what) const;
  Groups start_groups(const RateGroup::Owner& owner, const Sites& sites, os::TimePoint bound);
  void prepare_for(const Members& next, Groups& added, os::TimePoint bound);
  void hold_what_changes(const Members& next, os::TimePoint bound);
  void let_go();
  // What the threads need by both, one or the other; null: none.
  void reserve(const Groups& groups, const Members* before, const Members* after) const;
  // What has been admitted with more.
  void reserve_less(const Members& members) const noexcept;
  void exchange(const Members& next, const ReleaseHost& host, os::TimePoint at);
  static bool stop_all(const Groups& groups, os::TimePoint bound);

  os::PriorityMutex mutex_;
  State state_ = State::adding;
  Members members_;
  Groups groups_;
  std::shared_ptr<const RateGroup::Owner> owner_;  // from start() on
  PeriodicOptions options_;                        // likewise
};

}  // namespace takt::rt
