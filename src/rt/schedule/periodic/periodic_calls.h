// All operations that an ORB calls at their rates.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "rt/schedule/periodic/rate_group.h"

namespace takt::rt {

// Any thread.
class PeriodicCalls {
 public:
  // As PeriodicDispatcher; `operation` is the schedule's.
  void add(PeriodicCall call, std::shared_ptr<Operation> operation);
  os::TimePoint start(const RateGroup::Owner& owner, const PeriodicOptions& options);
  // For good.
  bool stop(std::chrono::nanoseconds bound);

 private:
  enum class State { adding, running, stopped };
  using Groups = std::vector<std::shared_ptr<RateGroup>>;
  using Members = std::vector<RateGroup::Member>;
  void require_adding(const char* what) const;
  static Groups make_groups(const RateGroup::Owner& owner, const Members& members,
                            const PeriodicOptions& options);
  static bool stop_all(const Groups& groups, os::TimePoint bound);

  std::mutex mutex_;
  State state_ = State::adding;
  Members members_;
  Groups groups_;
};

}  // namespace takt::rt
