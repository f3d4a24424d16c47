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

// Changed operations are no longer released, and once they have ended, all use the new schedule. In the terms
// of Real and Crespo 2004: synchronous for changed operations, with periodicity for the others.
os::TimePoint PeriodicCalls::change(const Change& change) {
  std::lock_guard lock(mutex_);
  if (state_ == State::starting)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the periodic dispatcher is about to start");
  if (std::ranges::any_of(groups_, [](const auto& each) { return each.second->is_current(); }))
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               "a job of the periodic dispatcher cannot wait for itself to end: change the "
                               "schedule in another thread");
  Members next = members_;
  for (auto& each : next) {
    each.operation = change.operation(each.site->operation);
    if (each.operation && each.operation->declared().period.count() == 0) each.operation = nullptr;
  }
  Groups added;
  try {
    if (state_ == State::running) {
      prepare_for(next, added, change.bound);
      Groups all = groups_;
      all.insert(added.begin(), added.end());
      reserve(all, &members_, &next);
      hold_changed_members(next, change.bound);
    }
    change.take_effect();
  } catch (...) {
    stop_all(added, os::Clock::now());
    let_go();
    throw;
  }
  const auto at = os::Clock::now();
  groups_.merge(added);
  if (state_ == State::running) exchange(next, change.host, at);
  reserve_less(next);
  members_ = std::move(next);
  return at;
}

// Prepares the threads that calls move to.
void PeriodicCalls::prepare_for(const Members& next, Groups& added, os::TimePoint bound) {
  Sites moving, to_new;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const auto& before = members_[i].operation;
    const auto& after = next[i].operation;
    if (!after || (before && before->priority == after->priority)) continue;
    (groups_.contains(after->priority) ? moving : to_new)[after->priority].push_back(next[i].site);
  }
  added = start_groups(*owner_, to_new, bound);
  for (const auto& [priority, sites] : moving) groups_.at(priority)->prepare(sites);
  for (const auto& [priority, sites] : moving) groups_.at(priority)->wait_until_prepared(bound);
}

void PeriodicCalls::hold_changed_members(const Members& next, os::TimePoint bound) {
  std::set<const PeriodicCall*> changing;
  for (std::size_t i = 0; i < next.size(); ++i)
    if (!is_same(members_[i], next[i])) changing.insert(next[i].site.get());
  for (const auto& [priority, group] : groups_) group->hold(changing);
  for (const auto& [priority, group] : groups_)
    if (!group->wait_until_held(bound))
      throw CORBA::TIMEOUT(0, CORBA::COMPLETED_NO,
                           "a job of priority " + std::to_string(priority) +
                               " by the present schedule has not ended in time: nothing has changed");
}

void PeriodicCalls::let_go() {
  for (const auto& [priority, group] : groups_) group->hold({});
  reserve_less(members_);
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

void PeriodicCalls::reserve_less(const Members& members) const noexcept {
  try {
    reserve(groups_, nullptr, &members);
  } catch (const CORBA::SystemException&) {  // they keep more than they need
  }
}

// Switches to `next`: phases count from `at`, and operations with the same declaration continue.
void PeriodicCalls::exchange(const Members& next, const ReleaseHost& host, os::TimePoint at) {
  std::map<const PeriodicCall*, os::TimePoint> going_on;
  for (const auto& [priority, group] : groups_)
    for (const auto& each : group->members()) going_on[each.site.get()] = each.next;
  std::map<std::int16_t, Members> by_priority;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (!next[i].operation) continue;
    RateGroup::Member member = next[i];
    const auto found = going_on.find(member.site.get());
    member.next = is_same(members_[i], next[i]) && found != going_on.end()
                      ? found->second
                      : at + member.operation->declared().phase;
    by_priority[member.operation->priority].push_back(std::move(member));
  }
  for (auto each = groups_.begin(); each != groups_.end();) {
    const auto members = by_priority.find(each->first);
    if (members != by_priority.end()) {
      each->second->exchange(host, std::move(members->second));
      ++each;
      continue;
    }
    each->second->stop();  // it has no running jobs
    each->second->wait_until_stopped(os::Clock::now() + std::chrono::seconds(1));
    each = groups_.erase(each);
  }
}

}  // namespace takt::rt
