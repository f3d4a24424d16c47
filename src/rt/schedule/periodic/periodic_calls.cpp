#include "rt/schedule/periodic/periodic_calls.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace takt::rt {

void PeriodicCalls::require_adding(const char* what) const {
  if (state_ == State::adding) return;
  throw CORBA::BAD_INV_ORDER(
      0, CORBA::COMPLETED_NO,
      std::string(what) + (state_ == State::running ? ": the periodic dispatcher runs already"
                                                    : ": the periodic dispatcher has been stopped"));
}

void PeriodicCalls::add(PeriodicCall call, std::shared_ptr<Operation> operation) {
  const auto refuse = [&](const char* why) {
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "operation '" + call.operation + "' " + why);
  };
  if (!call.call) refuse("has no function to be called");
  if (operation->declared().period.count() == 0) refuse("has no period in the schedule");
  std::lock_guard lock(mutex_);
  require_adding("add");
  if (std::ranges::find(members_, operation, &RateGroup::Member::operation) != members_.end())
    refuse("is called at its rate already");
  members_.push_back({std::make_shared<const PeriodicCall>(std::move(call)), std::move(operation)});
}

os::TimePoint PeriodicCalls::start(const RateGroup::Owner& owner, const PeriodicOptions& options) {
  std::unique_lock lock(mutex_);
  require_adding("start");
  if (members_.empty())
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the periodic dispatcher has nothing to call: add()");
  const auto members = members_;
  state_ = State::running;
  lock.unlock();  // the application's `prepare` may take its time
  Groups groups;
  try {
    groups = make_groups(owner, members, options);
  } catch (...) {
    lock.lock();
    if (state_ == State::running) state_ = State::adding;
    throw;
  }
  lock.lock();
  if (state_ == State::running) {
    const auto first = std::max(options.first, os::Clock::now());
    for (const auto& group : groups) group->begin(first);
    groups_ = std::move(groups);
    return first;
  }
  lock.unlock();
  stop_all(groups, os::Clock::now() + options.patience);
  throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the periodic dispatcher was stopped while it started");
}

PeriodicCalls::Groups PeriodicCalls::make_groups(const RateGroup::Owner& owner, const Members& members,
                                                 const PeriodicOptions& options) {
  std::map<std::int16_t, Members> by_priority;
  for (const auto& each : members) by_priority[each.operation->priority].push_back(each);
  const auto bound = os::Clock::now() + options.patience;
  Groups groups;
  try {
    for (const auto& [priority, of_it] : by_priority)
      groups.push_back(RateGroup::start(owner, priority, of_it, options.stack_bytes));
    for (const auto& group : groups) group->wait_until_ready(bound);
  } catch (...) {
    stop_all(groups, os::Clock::now());
    throw;
  }
  return groups;
}

bool PeriodicCalls::stop(std::chrono::nanoseconds bound) {
  Groups groups;
  {
    std::lock_guard lock(mutex_);
    state_ = State::stopped;
    groups = std::exchange(groups_, {});
  }
  return stop_all(groups, os::Clock::now() + bound);
}

bool PeriodicCalls::stop_all(const Groups& groups, os::TimePoint bound) {
  bool all = true;
  for (const auto& group : groups) group->stop();
  for (const auto& group : groups) all &= group->wait_until_stopped(bound);
  return all;
}

}  // namespace takt::rt
