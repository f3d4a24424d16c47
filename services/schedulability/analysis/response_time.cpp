#include "schedulability/analysis/response_time.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "schedulability/analysis/no_time.h"
#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

// Loads with equal releases interfere in the same way, so they are added up.
struct Releases {
  std::int64_t period, jitter, burst, distance;
  bool operator==(const Releases&) const = default;
};
struct Group : Releases {
  std::int64_t execution;  // for one job
};

class Processor {
 public:
  Processor(std::span<const Load> loads, Equals equals, std::int64_t& steps, const Supply& supply)
      : loads_(loads), equals_(equals), supply_(supply), steps_(steps) {}

  std::vector<Response> analyse() {
    std::vector<std::size_t> order(loads_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return loads_[i].level; });
    std::vector<Response> result(loads_.size());
    for (auto first = order.begin(); first != order.end();) {
      const auto last = std::find_if(first, order.end(),
                                     [&](std::size_t i) { return loads_[i].level != loads_[*first].level; });
      if (equals_ == Equals::count) std::for_each(first, last, [&](std::size_t i) { join(loads_[i]); });
      if (equals_ == Equals::count) find_lanes(first, last);
      std::int64_t floor = floor_;
      for (auto each = first; each != last; ++each) result[*each] = answer(loads_[*each], floor);
      if (equals_ == Equals::leave_out) std::for_each(first, last, [&](std::size_t i) { join(loads_[i]); });
      floor_ = floor;
      first = last;
    }
    return result;
  }

 private:
  using Places = std::vector<std::size_t>::const_iterator;

  // Lanes are of one level.
  void find_lanes(Places first, Places last) {
    lanes_.clear();
    std::for_each(first, last, [&](std::size_t i) {
      if (loads_[i].lane != 0) lanes_[loads_[i].lane].push_back(i);
    });
  }

  // Finds the members of the load's lane that are less urgent, which were joined but do not delay it.
  void leave_out_lower(const Load& load) {
    left_out_.clear();
    used_left_out_ = 0;
    if (equals_ != Equals::count || load.lane == 0) return;
    for (const std::size_t i : lanes_[load.lane]) {
      if (loads_[i].within <= load.within) continue;
      left_out_.push_back(i);
      used_left_out_ +=
          static_cast<long double>(loads_[i].execution) / static_cast<long double>(loads_[i].period);
    }
  }

  void join(const Load& load) {
    const Releases releases{load.period, load.taken_jitter, load.burst, load.distance};
    const auto [place, is_new] = index_.try_emplace(releases, groups_.size());
    if (is_new) groups_.push_back({releases, 0});
    std::int64_t& execution = groups_[place->second].execution;
    execution = add(execution, load.execution / load.burst);
    used_ += static_cast<long double>(load.execution) / static_cast<long double>(load.period);
  }

  // The demand of all more urgent loads in a window.
  std::int64_t demand(std::int64_t window) const {
    std::int64_t sum = 0;
    bool over = false;
    for (const Group& group : groups_) {
      std::int64_t end = 0, part = 0;
      over |= __builtin_add_overflow(window, group.jitter, &end);
      over |= __builtin_mul_overflow(jobs_in(group.period, group.burst, group.distance, end), group.execution,
                                     &part);
      over |= __builtin_add_overflow(sum, part, &sum);
      if (over) return unbounded;
    }
    return sum;
  }

  // The smallest window that fits `own` and the demand of more urgent loads; `from` must not exceed it.
  // Unbounded if it exceeds `most`.
  std::int64_t window_of(const Load& load, std::int64_t own, std::int64_t from, std::int64_t most) {
    for (std::int64_t window = std::max<std::int64_t>(from, 1);;) {
      std::int64_t sum = demand(window);
      if (equals_ == Equals::count && sum != unbounded) sum -= taken(load, window);
      for (const std::size_t i : left_out_)
        if (sum != unbounded) sum -= taken(loads_[i], window);
      const std::int64_t next = supply_.time_for(add(own, sum));
      steps_ -= static_cast<std::int64_t>(groups_.size() + left_out_.size()) + 1;
      if (next <= window) return window == 1 ? std::max<std::int64_t>(next, own) : window;
      if (next == unbounded || next > most || steps_ < 0) return unbounded;
      window = next;
    }
  }

  static std::int64_t begin_of(const Load& load, std::int64_t job) {
    return scheduling::begin_of(load.period, load.burst, load.distance, job);
  }

  // How much of the processor `load` and more urgent ones use. Loads of its lane that are less urgent must be
  // left out by then.
  enum class Use { part, all, too_much };
  Use use_with(const Load& load) const {
    const bool counted = equals_ == Equals::count;
    const long double own_use =
        static_cast<long double>(load.own * load.burst) / static_cast<long double>(load.period);
    const long double used = used_ - used_left_out_ + (counted ? 0.0L : own_use);
    if (used > supply_.share() + 1e-12L) return Use::too_much;
    return used > supply_.share() - 1e-12L ? Use::all : Use::part;
  }

  // Whether windows of less urgent loads are longer than those of `load`.
  static bool bounds_less_urgent(const Load& load) {
    return add(load.blocking, load.suspension) == 0 && load.execution / load.burst >= load.own;
  }

  Response answer(const Load& load, std::int64_t& floor) {
    leave_out_lower(load);
    const Use use = use_with(load);
    if (use == Use::too_much) return {unbounded, unbounded, 0, unbounded};
    // At full utilisation a busy period may never end.
    const bool full = use == Use::all;
    const std::int64_t most_jobs = full ? std::min<std::int64_t>(load.most_jobs, 10'000) : load.most_jobs;
    const std::int64_t added = added_in_search(load.own);
    if (added > 0 && full) return {unbounded, unbounded, 0, 0};
    Response worst;
    const std::int64_t extra = add(load.blocking, load.suspension);
    std::int64_t window = add(floor_, load.own);
    for (std::int64_t job = 0;; ++job) {
      const std::int64_t own = add(add(multiply(job + 1, load.own), extra), added);
      const std::int64_t arrival = begin_of(load, job) - load.jitter;
      window = window_of(load, own, job == 0 ? window : add(window, load.own),
                         add(load.longest, std::max<std::int64_t>(arrival, 0) + added));
      if (window == unbounded) return {unbounded, unbounded, job, worst.seen};
      window -= added;
      if (job == 0 && bounds_less_urgent(load)) floor = std::max(floor, window);
      if (job == 0 || window - arrival > worst.worst)
        worst = {window - arrival, window, job, window - arrival};
      if (worst.worst > load.longest || job == most_jobs) return {unbounded, unbounded, job, worst.seen};
      if (window <= begin_of(load, job + 1) - load.jitter) return worst;
    }
  }

  struct Hash {
    std::size_t operator()(const Releases& key) const {
      std::uint64_t hash = 0;
      for (const std::int64_t part : {key.period, key.jitter, key.burst, key.distance})
        hash = hash * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(part);
      return std::hash<std::uint64_t>()(hash);
    }
  };

  std::span<const Load> loads_;
  Equals equals_;
  Supply supply_;
  std::vector<Group> groups_;
  std::unordered_map<Releases, std::size_t, Hash> index_;
  std::map<std::size_t, std::vector<std::size_t>> lanes_;  // at the level in hand
  std::vector<std::size_t> left_out_;
  long double used_ = 0, used_left_out_ = 0;
  // A lower bound for windows: the window of a less urgent thread is longer than that of a more urgent one,
  // by at least its own execution time.
  std::int64_t floor_ = 0;
  std::int64_t& steps_;
};

}  // namespace

std::int64_t taken(const Load& load, std::int64_t window) {
  const std::int64_t end = add(window, load.taken_jitter);
  return multiply(jobs_in(load.period, load.burst, load.distance, end), load.execution / load.burst);
}

std::vector<Response> response_times(std::span<const Load> loads, Equals equals, std::int64_t& steps,
                                     const Supply& supply) {
  return Processor(loads, equals, steps, supply).analyse();
}

}  // namespace takt::scheduling
