#include "rt/periodic/periodic_calls.h"

#include <algorithm>
#include <string>
#include <utility>

#include "rt/periodic/reserved_time.h"

namespace takt::rt {

namespace {

const char* name_of(bool running) {
  return running ? ": the periodic dispatcher runs already" : ": the periodic dispatcher has been stopped";
}

bool is_same(const RateGroup::Member& before, const RateGroup::Member& after) {
  return before.operation && after.operation && before.operation->declared() == after.operation->declared();
}

}  // namespace

void PeriodicCalls::require_adding(const char* what) const {
  if (state_ == State::adding) return;
  throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, std::string(what) + name_of(state_ != State::stopped));
}

void PeriodicCalls::add(PeriodicCall call, std::shared_ptr<Operation> operation) {
  const auto refuse = [&](const char* why) {
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "operation '" + call.operation + "' " + why);
  };
  if (!call.call) refuse("has no function to be called");
  if (operation->declared().period.count() == 0) refuse("has no period in the schedule");
  std::lock_guard lock(mutex_);
  require_adding("add");
  if (std::ranges::any_of(members_, [&](const auto& each) { return each.site->operation == call.operation; }))
    refuse("is called at its rate already");
  members_.push_back({std::make_shared<const PeriodicCall>(std::move(call)), std::move(operation)});
}

os::TimePoint PeriodicCalls::start(const RateGroup::Owner& owner, const PeriodicOptions& options) {
  std::unique_lock lock(mutex_);
  require_adding("start");
  Sites sites;
  for (const auto& each : members_)
    if (each.operation) sites[each.operation->priority].push_back(each.site);
  if (sites.empty())
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               "the periodic dispatcher has no calls: use add() first");
  state_ = State::starting;
  owner_ = std::make_shared<const RateGroup::Owner>(owner);
  options_ = options;
  const Members members = members_;
  lock.unlock();  // not held during the application's `prepare`, which may take long
  Groups groups;
  try {
    groups = start_groups(owner, sites, os::Clock::now() + options.patience);
    reserve(groups, nullptr, &members);
  } catch (...) {
    stop_all(groups, os::Clock::now() + options.patience);
    lock.lock();
    owner_.reset();
    if (state_ == State::starting) state_ = State::adding;
    throw;
  }
  lock.lock();
  if (state_ != State::starting) {
    lock.unlock();
    stop_all(groups, os::Clock::now() + options.patience);
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               "the periodic dispatcher was stopped while it started");
  }
  const auto first = std::max(options.first, os::Clock::now());
  groups_ = std::move(groups);
  state_ = State::running;
  exchange(members_, owner.host, first);
  return first;
}

PeriodicCalls::Groups PeriodicCalls::start_groups(const RateGroup::Owner& owner, const Sites& sites,
                                                  os::TimePoint bound) {
  Groups groups;
  try {
    for (const auto& [priority, of_it] : sites)
      groups[priority] = RateGroup::start(owner, priority, of_it, options_.stack_bytes);
    for (const auto& [priority, group] : groups) group->wait_until_prepared(bound);
  } catch (...) {
    stop_all(groups, os::Clock::now());
    throw;
  }
  return groups;
}

bool PeriodicCalls::stop(std::chrono::nanoseconds bound) {
  Groups groups;
  std::shared_ptr<const RateGroup::Owner> owner;  // may hold the last reference to this object's owner
  {
    std::lock_guard lock(mutex_);
    state_ = State::stopped;
    groups = std::exchange(groups_, {});
    owner = std::move(owner_);
  }
  return stop_all(groups, os::Clock::now() + bound);
}

bool PeriodicCalls::stop_all(const Groups& groups, os::TimePoint bound) {
  bool all = true;
  for (const auto& [priority, group] : groups) group->stop();
  for (const auto& [priority, group] : groups) all &= group->wait_until_stopped(bound);
  return all;
}

void PeriodicCalls::refuse_in_job() const {
  const std::lock_guard lock(mutex_);
  if (std::ranges::any_of(groups_, [](const auto& each) { return each.second->is_current(); }))
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               "a job of the periodic dispatcher cannot wait for itself to end: change the "
                               "schedule in another thread");
}

// Changed operations are no longer released, and once they have ended, all use the new schedule. In the terms
// of Real and Crespo 2004: synchronous for changed operations, with periodicity for the others. The lock is
// not held during the wait for jobs, so that stop() does not wait for them, too.
os::TimePoint PeriodicCalls::change(const Change& change) {
  constexpr auto patience = std::chrono::seconds(1);
  std::unique_lock lock(mutex_);
  if (state_ == State::starting)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the periodic dispatcher is about to start");
  Members next = members_;
  for (auto& each : next) {
    each.operation = change.operation(each.site->operation);
    if (each.operation && each.operation->declared().period.count() == 0) each.operation = nullptr;
  }
  Groups added;
  const Groups present = groups_;
  try {
    if (state_ == State::running) {
      const auto owner = owner_;
      lock.unlock();  // only a change replaces members while it runs
      prepare_for(next, present, *owner, added, change.bound);
      Groups all = present;
      all.insert(added.begin(), added.end());
      reserve(all, &members_, &next);
      hold_changed_members(present, next, change.bound);
      lock.lock();
    }
    change.take_effect();
  } catch (...) {
    if (lock) lock.unlock();
    stop_all(added, os::Clock::now());
    let_go(present);
    throw;
  }
  const auto at = os::Clock::now();
  Groups over;
  if (state_ == State::running) {
    groups_.merge(added);
    over = exchange(next, change.host, at);
    reserve_less(groups_, next);
  }
  over.merge(added);  // calls of a dispatcher that was stopped meanwhile
  members_ = std::move(next);
  lock.unlock();
  stop_all(over, os::Clock::now() + patience);
  return at;
}

// Prepares the threads that calls move to.
void PeriodicCalls::prepare_for(const Members& next, const Groups& present, const RateGroup::Owner& owner,
                                Groups& added, os::TimePoint bound) {
  Sites moving, to_new;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const auto& before = members_[i].operation;
    const auto& after = next[i].operation;
    if (!after || (before && before->priority == after->priority)) continue;
    (present.contains(after->priority) ? moving : to_new)[after->priority].push_back(next[i].site);
  }
  added = start_groups(owner, to_new, bound);
  for (const auto& [priority, sites] : moving) present.at(priority)->prepare(sites);
  for (const auto& [priority, sites] : moving) present.at(priority)->wait_until_prepared(bound);
}

void PeriodicCalls::hold_changed_members(const Groups& present, const Members& next, os::TimePoint bound) {
  std::set<const PeriodicCall*> changing;
  for (std::size_t i = 0; i < next.size(); ++i)
    if (!is_same(members_[i], next[i])) changing.insert(next[i].site.get());
  for (const auto& [priority, group] : present) group->hold(changing);
  for (const auto& [priority, group] : present)
    if (!group->wait_until_held(bound))
      throw CORBA::TIMEOUT(0, CORBA::COMPLETED_NO,
                           "a job of priority " + std::to_string(priority) +
                               " by the present schedule has not ended in time: nothing has changed");
}

void PeriodicCalls::let_go(const Groups& present) {
  for (const auto& [priority, group] : present) group->hold({});
  reserve_less(present, members_);
}

void PeriodicCalls::reserve(const Groups& groups, const Members* before, const Members* after) const {
  if (!options_.reserve) return;
  for (const auto& [priority, group] : groups) {
    ReservedTime needed(options_.reserve_more_percent);
    for (const Members* members : {before, after})
      if (members) needed.add(priority, *members);
    if (const auto reservation = needed.of_all()) group->reserve(*reservation);
  }
}

void PeriodicCalls::reserve_less(const Groups& groups, const Members& members) const noexcept {
  try {
    reserve(groups, nullptr, &members);
  } catch (const CORBA::SystemException&) {  // they keep more than they need
  }
}

// Switches to `next`: phases count from `at`, and operations with the same declaration continue. The most
// urgent threads come first. Returns the groups that have no more members, which it has stopped last.
PeriodicCalls::Groups PeriodicCalls::exchange(const Members& next, const ReleaseHost& host,
                                              os::TimePoint at) {
  std::map<std::int16_t, Members> by_priority;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (!next[i].operation) continue;
    RateGroup::Member member = next[i];
    member.next = at + member.operation->declared().phase;
    member.goes_on = is_same(members_[i], next[i]);
    by_priority[member.operation->priority].push_back(std::move(member));
  }
  for (auto each = by_priority.rbegin(); each != by_priority.rend(); ++each)
    groups_.at(each->first)->exchange(host, std::move(each->second));
  Groups vanished;
  for (const auto& each : groups_)
    if (!by_priority.contains(each.first)) vanished.insert(each);
  for (const auto& [priority, group] : vanished) {
    group->stop();  // it has no running jobs
    groups_.erase(priority);
  }
  return vanished;
}

}  // namespace takt::rt
