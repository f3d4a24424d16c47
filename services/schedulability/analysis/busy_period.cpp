#include "schedulability/analysis/busy_period.h"

#include <algorithm>
#include <map>

#include "schedulability/analysis/holistic.h"
#include "schedulability/model/arrivals.h"
#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

constexpr std::int64_t most_steps = 2'000'000;  // for one processor

// The work of a chain on a processor, with all that may delay it.
struct ChainWork {
  std::int64_t work = 0;  // for one job of the first thread
  std::int64_t period = 1, burst = 1, distance = 0, jitter = 0;
};

std::int64_t arrived(const ChainWork& chain, std::int64_t window) {
  return multiply(jobs_in(chain.period, chain.burst, chain.distance, add(window, chain.jitter)), chain.work);
}

// The longest time from an instant with nothing to do to the next one.
std::int64_t busy_period(std::span<const ChainWork> chains, std::int64_t& steps) {
  long double used = 0;
  for (const ChainWork& each : chains)
    used += static_cast<long double>(each.work) * static_cast<long double>(each.burst) /
            static_cast<long double>(each.period);
  if (used > 1.0L - 1e-12L) return unbounded;
  std::int64_t left = std::min(steps, most_steps);
  for (std::int64_t window = 1;;) {
    std::int64_t next = 0;
    for (const ChainWork& each : chains) next = add(next, arrived(each, window));
    const auto taken = static_cast<std::int64_t>(chains.size()) + 1;
    left -= taken;
    steps -= taken;
    if (next <= window) return window;
    if (next == unbounded || left < 0) return unbounded;
    window = next;
  }
}

class Limits {
 public:
  Limits(std::span<const Thread> threads, std::span<const Reservation> reservations)
      : threads_(threads), reservations_(reservations) {
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const Thread& each = threads[i];
      first_.push_back(each.trigger ? first_[each.trigger->thread] : i);  // triggering threads come first
      const auto& trigger = each.trigger;
      const bool from_elsewhere = trigger && (threads[trigger->thread].processor != each.processor ||
                                              threads[trigger->thread].reservation != each.reservation);
      if (is_call(each)) open_[threads[trigger->thread].processor] = true;
      open_[each.processor] |= from_elsewhere || is_call(each) || job_time(each) == Time(0);
    }
  }

  std::vector<BusyLimit> find(std::int64_t& steps) const {
    std::map<std::int32_t, std::map<std::size_t, ChainWork>> processors;  // by the chain's first thread
    for (std::size_t i = 0; i < threads_.size(); ++i)
      if (is_limited(threads_[i])) add_to(processors[threads_[i].processor][first_[i]], i);
    std::map<std::int32_t, std::int64_t> busy;
    for (const auto& [processor, chains] : processors) {
      std::vector<ChainWork> all;
      for (const auto& [first, chain] : chains) all.push_back(chain);
      for (const Reservation& each : reservations_)
        if (each.processor == processor) all.push_back(work_of(each));
      busy[processor] = busy_period(all, steps);
    }
    std::vector<BusyLimit> limits(threads_.size());
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (!is_limited(threads_[i])) continue;
      const std::int64_t time = busy.at(threads_[i].processor);
      limits[i] = {.response = add(time, threads_[first_[i]].jitter.count()), .busy = time};
    }
    return limits;
  }

 private:
  bool is_limited(const Thread& thread) const {
    return thread.reservation == 0 && !open_.at(thread.processor);
  }

  void add_to(ChainWork& chain, std::size_t i) const {
    const Thread& first = threads_[first_[i]];
    chain.period = first.period.count();
    chain.burst = first.burst;
    chain.distance = first.distance.count();
    chain.jitter = first.jitter.count();
    const std::int64_t own = add(threads_[i].execution.count() / first.burst, threads_[i].blocking.count());
    chain.work = add(chain.work, own);
  }

  static ChainWork work_of(const Reservation& reservation) {
    const Load load = load_of(reservation);
    return {.work = load.execution, .period = load.period, .jitter = load.jitter};
  }

  std::span<const Thread> threads_;
  std::span<const Reservation> reservations_;
  std::vector<std::size_t> first_;     // by thread: the thread that begins its chain
  std::map<std::int32_t, bool> open_;  // processors without bounds
};

}  // namespace

std::vector<BusyLimit> busy_limits(std::span<const Thread> threads, std::span<const Reservation> reservations,
                                   std::int64_t& steps) {
  return Limits(threads, reservations).find(steps);
}

}  // namespace takt::scheduling
