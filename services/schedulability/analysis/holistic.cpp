#include "schedulability/analysis/holistic.h"

#include <algorithm>
#include <map>

#include "schedulability/analysis/busy_period.h"
#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

class Holistic {
 public:
  Holistic(std::span<const Thread> threads, const Blocking& blocking,
           std::span<const Reservation> reservations)
      : threads_(threads), reservations_(reservations) {
    result_.loads.resize(threads.size());
    result_.responses.resize(threads.size());
    suspends_.assign(threads.size(), false);
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const Thread& thread = threads[i];
      Load& load = result_.loads[i] = load_of(thread);
      const Blocking::Place& place = blocking.places[i];
      load.blocking = thread.blocking.count() / (is_call(thread) ? thread.trigger->calls : 1);
      load.blocking = add(load.blocking, multiply(place.fixed, add(1, place.suspensions)));
      load.level = place.level;
      load.within = place.within;
      load.lane = place.lane;
      processors_[{thread.processor, thread.reservation}].push_back(i);
      if (is_call(thread)) suspends_[thread.trigger->thread] = true;
      linked_ = linked_ || thread.trigger.has_value();
    }
    if (linked_) give_up_early();
    result_.by_busy_period.assign(threads.size(), false);
    given_up_.assign(threads.size(), false);
    limits_ = linked_ ? busy_limits(threads, reservations, steps_) : std::vector<BusyLimit>(threads.size());
  }

  HolisticResult analyse() {
    iterate();
    result_.steps = usual_steps - steps_;
    return std::move(result_);
  }

 private:
  using Place = std::pair<std::int32_t, std::size_t>;  // processor and reservation

  void iterate() {
    const int most_rounds = linked_ ? rounds() : 0;
    for (int round = 0;; ++round) {
      respond_all();
      if (!linked_ || !pass_on()) return;
      if (round == most_rounds) break;
    }
    give_up_what_grows();
  }
  // Chains that delay each other in a circle grow without end, and each round takes longer. Lower limits stop
  // them early.
  void give_up_early() {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      result_.loads[i].longest = multiply(64, std::max(threads_[i].period, threads_[i].deadline).count());
      result_.loads[i].most_jobs = 128;
    }
  }
  // A chain of n threads needs n rounds until its last thread has heard of its first.
  int rounds() const {
    constexpr std::size_t usual = 64, most = 1000;
    std::vector<std::size_t> depth(threads_.size(), 0);
    std::size_t deepest = 0;
    for (std::size_t i = 0; i < threads_.size(); ++i)
      if (threads_[i].trigger) deepest = std::max(deepest, depth[i] = depth[threads_[i].trigger->thread] + 1);
    return static_cast<int>(std::min(usual + deepest, most));
  }
  // Responses that still grow have no known bound, and neither have those that depend on them. Ends when
  // nothing changes any more: only then do the remaining responses follow from each other.
  void give_up_what_grows() {
    result_.settled = false;
    std::vector<Response> before;
    for (bool changed = true; changed;) {
      before = result_.responses;
      pass_on();
      respond_all(true);
      changed = false;
      for (std::size_t i = 0; i < before.size(); ++i)
        if (before[i].worst != result_.responses[i].worst) {
          result_.responses[i].worst = unbounded;
          limit(i);
          given_up_[i] = changed = true;
        }
      if (changed) give_up_linked();
    }
  }
  // Triggering threads come before those that they trigger.
  void give_up_linked() {
    const auto worst = [&](std::size_t i) -> std::int64_t& { return result_.responses[i].worst; };
    for (std::size_t i = threads_.size(); i-- > 0;)
      if (is_call(threads_[i]) && worst(i) == unbounded) worst(threads_[i].trigger->thread) = unbounded;
    for (std::size_t i = 0; i < threads_.size(); ++i)
      if (threads_[i].trigger && !is_call(threads_[i]) && worst(threads_[i].trigger->thread) == unbounded)
        worst(i) = unbounded;
  }
  void respond_all(bool keep_unbounded = false) {
    for (const auto& [place, members] : processors_) respond(place, members, keep_unbounded);
  }
  void respond(const Place& place, const std::vector<std::size_t>& members, bool keep_unbounded) {
    std::vector<Load> loads;
    loads.reserve(members.size());
    for (const std::size_t i : members) loads.push_back(result_.loads[i]);
    Supply supply;
    if (place.second > 0) {
      const Reservation& reserved = reservations_[place.second - 1];
      supply = {reserved.budget.count(), reserved.period.count()};
    } else {
      for (const Reservation& each : reservations_)
        if (each.processor == place.first) loads.push_back(load_of(each));
    }
    const auto responses = response_times(loads, Equals::count, steps_, supply);
    for (std::size_t k = 0; k < members.size(); ++k) {
      const std::size_t i = members[k];
      if (keep_unbounded && (given_up_[i] || result_.responses[i].worst == unbounded)) continue;
      result_.responses[i] = responses[k];
      // The rule for the load of a suspending thread holds only if each job is done before the next release.
      if (suspends_[i] && !is_call(threads_[i]) && responses[k].worst > result_.loads[i].period)
        result_.responses[i].worst = unbounded;
      limit(i);
    }
  }

  void limit(std::size_t i) {
    Response& response = result_.responses[i];
    const auto& [worst, busy] = limits_[i];
    result_.by_busy_period[i] = worst < response.worst;
    if (result_.by_busy_period[i])
      response = {.worst = worst, .window = busy, .job = 0, .seen = response.seen};
  }

  // Passes responses on as jitter and suspension of other threads. Returns whether anything changed.
  bool pass_on() {
    std::vector<Load> before = result_.loads;
    for (std::size_t i = 0; i < threads_.size(); ++i) result_.loads[i].suspension = 0;
    for (std::size_t i = threads_.size(); i-- > 0;) {
      if (!is_call(threads_[i])) continue;
      const Trigger& trigger = *threads_[i].trigger;
      const std::int64_t calls = is_call(threads_[trigger.thread])
                                     ? divide_up(trigger.calls, threads_[trigger.thread].trigger->calls)
                                     : trigger.calls;
      Load& caller = result_.loads[trigger.thread];
      caller.suspension = add(caller.suspension, multiply(calls, result_.responses[i].worst));
    }
    bool changed = false;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      Load& load = result_.loads[i];
      if (is_call(threads_[i])) {
        load.taken_jitter = lateness(result_.responses[priority_holder(threads_, i)].worst, load.execution);
      } else {
        if (threads_[i].trigger) load.jitter = result_.responses[threads_[i].trigger->thread].worst;
        load.taken_jitter = load.jitter;
        if (suspends_[i])
          load.taken_jitter = std::max(load.jitter, lateness(result_.responses[i].worst, load.execution));
      }
      changed = changed || load.jitter != before[i].jitter || load.taken_jitter != before[i].taken_jitter ||
                load.suspension != before[i].suspension;
    }
    return changed;
  }

  static std::int64_t lateness(std::int64_t response, std::int64_t execution) {
    return response == unbounded ? unbounded : std::max<std::int64_t>(0, response - execution);
  }

  std::span<const Thread> threads_;
  std::span<const Reservation> reservations_;
  std::map<Place, std::vector<std::size_t>> processors_;
  std::vector<bool> suspends_;
  std::vector<BusyLimit> limits_;
  std::vector<bool> given_up_;  // by thread: the response stays what it is
  bool linked_ = false;
  std::int64_t steps_ = usual_steps;
  HolisticResult result_;
};

}  // namespace

Load load_of(const Thread& thread) {
  Load load;
  load.execution = thread.execution.count();
  load.own = job_time(thread).count();
  load.period = thread.period.count();
  load.burst = thread.burst;
  load.distance = thread.distance.count();
  load.jitter = load.taken_jitter = thread.jitter.count();
  return load;
}

Load load_of(const Reservation& reservation) {
  Load load;
  load.execution = load.own = reservation.budget.count();
  load.period = reservation.period.count();
  load.jitter = load.taken_jitter = load.period - load.execution;
  load.level = -1;
  return load;
}

HolisticResult holistic_analysis(std::span<const Thread> threads, const Blocking& blocking,
                                 std::span<const Reservation> reservations) {
  return Holistic(threads, blocking, reservations).analyse();
}

}  // namespace takt::scheduling
