#include "schedulability/analysis/mode_change.h"

#include <algorithm>
#include <set>

#include "schedulability/analysis/no_time.h"
#include "schedulability/model/checked.h"
#include "schedulability/model/types.h"

namespace takt::scheduling {
namespace {

constexpr std::int64_t most_jobs = 10'000;
constexpr std::size_t most_instants = 100'000;

class Change {
 public:
  // `added`: added_in_search(), or 0 if the load does not wait for what arrives when it could begin.
  Change(std::span<const ModeLoad> loads, const ModeLoad& own, std::int64_t added, std::int64_t& steps)
      : own_(own), added_(added), steps_(steps) {
    for (const ModeLoad& each : loads)
      if (&each != &own && each.level <= own.level + own.further_down) others_.push_back(&each);
  }

  std::int64_t worst_response() {
    std::int64_t worst = 0;
    for (const std::int64_t at : instants()) worst = std::max(worst, response(at));
    if (steps_ < 0 || worst > own_.deadline) return unbounded;
    return worst;
  }

 private:
  // The execution time of all releases before `end`, counting arrivals from `-jitter` on.
  static std::int64_t arrived(const ModeLoad& load, std::int64_t end) {
    return multiply(divide_up(add(end, load.jitter), load.period), load.execution);
  }
  // The demand in `window` with the change at `at` after the start of the busy period. 0: at the start or
  // earlier, with arrivals delayed by jitter.
  static std::int64_t demand(const ModeLoad& load, std::int64_t window, std::int64_t at) {
    switch (load.mode) {
      case Mode::both:
        return arrived(load, window);
      case Mode::old_mode:
        return arrived(load, std::min(window, at));
      case Mode::new_mode:
        break;
    }
    if (at == 0) return arrived(load, window);
    return window <= at ? 0 : multiply(divide_up(window - at, load.period), load.execution);
  }

  // The smallest window that fits `own` and the interference of other loads; unbounded if that exceeds
  // `longest`.
  std::int64_t window_of(std::int64_t own, std::int64_t at, std::int64_t longest) {
    for (std::int64_t window = std::max<std::int64_t>(own, 1);;) {
      // If one of the two levels is more urgent, a later job of the same load can overtake this one.
      std::int64_t sum =
          own_.further_down == 0 ? own : std::max(own, add(own_.blocking, demand(own_, window, at)));
      for (const ModeLoad* each : others_) sum = add(sum, demand(*each, window, at));
      steps_ -= static_cast<std::int64_t>(others_.size()) + 1;
      if (sum <= window) return window;
      if (sum > longest || steps_ < 0) return unbounded;
      window = sum;
    }
  }

  // The worst instants for the change, from the start of a busy period: its start, and just after each
  // arrival of the old mode. A later change, before the next such arrival, adds nothing to the old mode's
  // demand and delays the new mode's arrivals and responses equally.
  std::set<std::int64_t> instants() {
    std::set<std::int64_t> all{0};
    const std::int64_t end = busy_before();
    const auto add_of = [&](const ModeLoad& load) {
      if (load.mode != Mode::old_mode) return;
      all.insert(1);
      for (std::int64_t arrival = -load.jitter; arrival < end && steps_ >= 0; arrival += load.period) {
        if (arrival > 0) all.insert(arrival + 1);
        steps_ = all.size() > most_instants ? -1 : steps_ - 1;
      }
    };
    for (const ModeLoad* each : others_) add_of(*each);
    add_of(own_);
    return all;
  }

  // Length of a busy period of the old mode.
  std::int64_t busy_before() {
    std::int64_t window = 1;
    for (;;) {
      std::int64_t sum = own_.blocking;
      for (const ModeLoad* each : others_)
        if (each->mode != Mode::new_mode) sum = add(sum, arrived(*each, window));
      if (own_.mode != Mode::new_mode) sum = add(sum, arrived(own_, window));
      steps_ -= static_cast<std::int64_t>(others_.size()) + 1;
      if (sum <= window) return window;
      if (sum == unbounded || steps_ < 0) {
        steps_ = -1;
        return 0;
      }
      window = sum;
    }
  }

  // The longest response among the load's jobs in the busy period.
  std::int64_t response(std::int64_t at) {
    const std::int64_t first = own_.mode == Mode::new_mode && at > 0 ? at : -own_.jitter;
    std::int64_t worst = 0;
    for (std::int64_t job = 0;; ++job) {
      const std::int64_t arrival = first + job * own_.period;
      if (own_.mode == Mode::old_mode && job > 0 && arrival >= at) return worst;
      const std::int64_t own = add(own_.blocking, multiply(job + 1, own_.execution));
      std::int64_t window =
          window_of(add(own, added_), at, add(std::max<std::int64_t>(arrival, 0) + added_, own_.deadline));
      if (window == unbounded || job == most_jobs) return unbounded;
      window -= added_;
      worst = std::max(worst, std::max(window - arrival, own_.execution));
      if (window <= arrival + own_.period) return worst;
    }
  }

  const ModeLoad& own_;
  const std::int64_t added_;
  std::vector<const ModeLoad*> others_;
  std::int64_t& steps_;
};

}  // namespace

std::vector<std::int64_t> mode_change_responses(std::span<const ModeLoad> loads, std::int64_t& steps) {
  std::vector<std::int64_t> responses;
  for (const ModeLoad& each : loads)
    responses.push_back(Change(loads, each, added_in_search(each.execution), steps).worst_response());
  return responses;
}

// The busy period that the change is in is at most as long as the response of a load below all others that
// takes no time.
std::int64_t settling_time(std::span<const ModeLoad> loads, std::int64_t& steps) {
  ModeLoad idle{.period = longest_time.count(), .deadline = longest_time.count()};
  for (const ModeLoad& each : loads) {
    idle.level = std::max(idle.level, each.level + each.further_down);
    idle.blocking = std::max(idle.blocking, each.blocking);
  }
  return Change(loads, idle, 0, steps).worst_response();
}

}  // namespace takt::scheduling
