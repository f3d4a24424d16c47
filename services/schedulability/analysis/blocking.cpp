#include "schedulability/analysis/blocking.h"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <tuple>

#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

class Sharing {
 public:
  Sharing(std::span<const Thread> threads, const Priorities& priorities)
      : threads_(threads), priorities_(priorities) {}

  Blocking find(Strategy strategy) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const std::int32_t level = priorities_.threads[i].level;
      result_.places.push_back({.level = level, .within = level});
      for (const LockUse& lock : threads_[i].locks) use(i, lock.name, false);
      if (!threads_[i].lane.empty()) use(i, threads_[i].lane, true);
    }
    if (result_.shared.empty()) return std::move(result_);
    place_lanes();
    forget_orders();
    set_ceilings();
    count_suspensions();
    for (const Shared& each : result_.shared) is_fixed(strategy) ? block_levels(each) : block_deadlines(each);
    return std::move(result_);
  }

 private:
  void use(std::size_t i, const std::string& name, bool is_lane) {
    const auto [known, is_new] =
        numbers_.try_emplace({is_lane, threads_[i].processor, name}, result_.shared.size());
    if (is_new)
      result_.shared.push_back({.name = name, .is_lane = is_lane, .processor = threads_[i].processor});
    result_.shared[known->second].users.push_back(i);
  }

  void place_lanes() {
    for (std::size_t k = 0; k < result_.shared.size(); ++k) {
      const Shared& lane = result_.shared[k];
      if (!lane.is_lane) continue;
      std::int32_t level = std::numeric_limits<std::int32_t>::max();
      for (const std::size_t i : lane.users) level = std::min(level, result_.places[i].within);
      for (const std::size_t i : lane.users) {
        result_.places[i].level = level;
        result_.places[i].lane = k + 1;
      }
    }
  }

  // While a job outside of a lane is pending at the lane's level, the lane may begin a less urgent request,
  // more than once in a busy period. Then the order within the lane shortens no bound, and all of its
  // requests count as of one level.
  void forget_orders() {
    const auto is_beside = [&](std::size_t i, const Shared& lane, std::size_t member) {
      return result_.places[i].lane != result_.places[member].lane &&
             threads_[i].processor == lane.processor &&
             threads_[i].reservation == threads_[member].reservation &&
             result_.places[i].level == result_.places[member].level;
    };
    const auto all = std::views::iota(std::size_t{0}, threads_.size());
    for (const Shared& lane : result_.shared) {
      if (!lane.is_lane) continue;
      if (std::ranges::none_of(all, [&](std::size_t i) { return is_beside(i, lane, lane.users.front()); }))
        continue;
      for (const std::size_t i : lane.users) result_.places[i].within = result_.places[i].level;
    }
  }

  void set_ceilings() {
    for (Shared& each : result_.shared) {
      each.ceiling = result_.places[each.users.front()].level;
      each.floor = soonest_deadline(each.users.front());
      for (const std::size_t i : each.users) {
        each.ceiling = std::min(each.ceiling, result_.places[i].level);
        each.floor = std::min(each.floor, soonest_deadline(i));
        each.held = std::max(each.held, held_by(threads_[i], each));
      }
    }
  }

  // From the latest release to the deadline.
  Time soonest_deadline(std::size_t i) const {
    const Thread& thread = threads_[i];
    return thread.deadline - (thread.trigger ? threads_[thread.trigger->thread].deadline : thread.jitter);
  }

  void count_suspensions() {
    for (const Thread& thread : threads_) {
      if (!is_call(thread)) continue;
      auto& count = result_.places[thread.trigger->thread].suspensions;
      count = add(count, thread.trigger->calls);
    }
  }

  bool is_less_urgent(std::size_t i, std::size_t than) const {
    const auto &one = result_.places[i], &other = result_.places[than];
    if (one.lane != 0 && one.lane == other.lane) return one.within > other.within;
    return one.level > other.level;
  }

  void block_levels(const Shared& shared) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      Blocking::Place& place = result_.places[i];
      if (threads_[i].processor != shared.processor || shared.ceiling > place.level) continue;
      for (const std::size_t user : shared.users)
        if (user != i && is_less_urgent(user, i))
          place.fixed = std::max(place.fixed, held_by(threads_[user], shared).count());
    }
  }

  // A lock of one thread excludes no other.
  void block_deadlines(const Shared& shared) {
    if (shared.users.size() < 2) return;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (threads_[i].processor != shared.processor) continue;
      for (const std::size_t user : shared.users)
        if (user != i && threads_[user].deadline > soonest_deadline(i))
          result_.places[i].demand =
              std::max(result_.places[i].demand, held_by(threads_[user], shared).count());
    }
  }

  std::span<const Thread> threads_;
  const Priorities& priorities_;
  Blocking result_;
  std::map<std::tuple<bool, std::int32_t, std::string>, std::size_t> numbers_;
};

}  // namespace

Blocking blocking_of(std::span<const Thread> threads, const Priorities& priorities, Strategy strategy) {
  return Sharing(threads, priorities).find(strategy);
}

Time held_by(const Thread& thread, const Shared& shared) {
  if (shared.is_lane) return job_time(thread);
  const auto use = std::ranges::find(thread.locks, shared.name, &LockUse::name);
  return use == thread.locks.end() ? Time(0) : use->held;
}

}  // namespace takt::scheduling
