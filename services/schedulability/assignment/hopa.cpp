#include "schedulability/assignment/hopa.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "schedulability/analysis/analysis.h"
#include "schedulability/assignment/ranks.h"

namespace takt::scheduling {
namespace {

using Numbers = std::vector<double>;

// A response without a bound counts as this many of the longer of period and deadline, where the analysis
// gives up.
constexpr double unbounded_factor = 64;
// How slowly shares move, and how often, as in MAST: first quickly, then slowly.
constexpr std::pair<double, int> phases[] = {{1.5, 10}, {2.0, 20}, {3.0, 30}};

class Hopa {
 public:
  Hopa(const Repository& repository, std::span<const Thread> threads, std::span<const std::int32_t> above)
      : repository_(repository), threads_(threads), above_(above), shares_(threads.size()) {}

  std::vector<std::int32_t> assign() {
    Numbers deadlines;
    for (const Thread& each : threads_) deadlines.push_back(seconds(each.deadline));
    if (attempt(deadlines)) return best_;
    for (const auto& [slowness, rounds] : phases) {
      share_by_execution();
      std::vector<std::int32_t> last;
      for (int round = 0; round < rounds; ++round) {
        if (attempt(shares_)) return best_;
        if (present_ == last) break;  // the shares no longer change an order
        last = present_;
        move_shares(slowness);
      }
    }
    return best_;
  }

 private:
  static double seconds(Time time) { return static_cast<double>(time.count()) * 1e-9; }
  bool has_share(std::size_t i) const { return !is_call(threads_[i]); }
  // The thread before it in its chain; its own number for the first one.
  std::size_t before(std::size_t i) const { return threads_[i].trigger ? threads_[i].trigger->thread : i; }

  // Analyses the order of the keys. Returns whether every deadline is met, and keeps the best order.
  bool attempt(const Numbers& keys) {
    present_ = ranked(threads_, keys, above_);
    const auto analysis =
        analyse(with_priorities(repository_, present_), {.strategy = Strategy::declared_priorities});
    if (!analysis) return false;  // find_threads() has succeeded, so this does not happen
    responses_.clear();
    double worst = 0;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const Thread& thread = threads_[i];
      const auto& response = analysis->results[i].response;
      responses_.push_back(response ? seconds(*response)
                                    : unbounded_factor * seconds(std::max(thread.period, thread.deadline)));
      worst = std::max(worst, responses_[i] / seconds(thread.deadline));
    }
    if (best_.empty() || worst < best_ratio_) {
      best_ = present_;
      best_ratio_ = worst;
    }
    if (analysis->critical_verdict != Verdict::meets) return false;
    best_ = present_;
    return true;
  }

  void share_by_execution() {
    for (std::size_t i = 0; i < threads_.size(); ++i)
      shares_[i] = std::max(seconds(threads_[i].execution), 1e-9);
    normalise();
  }

  // Scales the shares such that those of each chain, up to any thread of it, add up to at most its deadline.
  // Threads come after those that release them.
  void normalise() {
    Numbers sums(threads_.size(), 0), factors(threads_.size(), HUGE_VAL);
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (!has_share(i)) continue;
      sums[i] = shares_[i] + (before(i) == i ? 0 : sums[before(i)]);
      factors[i] = seconds(threads_[i].deadline) / sums[i];
    }
    for (std::size_t i = threads_.size(); i-- > 0;)
      if (has_share(i)) factors[before(i)] = std::min(factors[before(i)], factors[i]);
    for (std::size_t i = 0; i < threads_.size(); ++i)
      if (has_share(i)) shares_[i] *= factors[i];
  }

  // A thread whose own part of the response exceeds its share gets more, and so do those of a processor with
  // such threads; normalise() takes it from the rest of the chain.
  void move_shares(double slowness) {
    Numbers pressure(threads_.size(), 0), excess(threads_.size(), 0);
    for (std::size_t i = threads_.size(); i-- > 0;) {
      pressure[i] = std::max(pressure[i], responses_[i] / seconds(threads_[i].deadline));
      if (has_share(i)) pressure[before(i)] = std::max(pressure[before(i)], pressure[i]);
    }
    std::map<std::int32_t, double> of_processor;
    double most = 0, most_of_processor = 0;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (!has_share(i)) continue;
      const double own = std::max(responses_[i] - (before(i) == i ? 0 : responses_[before(i)]), 0.0);
      excess[i] = (own - shares_[i]) * pressure[i];
      most = std::max(most, std::abs(excess[i]));
      of_processor[threads_[i].processor] += excess[i];
    }
    for (const auto& [processor, sum] : of_processor)
      most_of_processor = std::max(most_of_processor, std::abs(sum));
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (!has_share(i)) continue;
      if (most > 0) shares_[i] *= 1 + excess[i] / (slowness * most);
      if (most_of_processor > 0)
        shares_[i] *= 1 + of_processor[threads_[i].processor] / (slowness * most_of_processor);
    }
    normalise();
  }

  const Repository& repository_;
  std::span<const Thread> threads_;
  std::span<const std::int32_t> above_;
  Numbers shares_, responses_;  // in seconds, by thread
  std::vector<std::int32_t> present_, best_;
  double best_ratio_ = 0;
};

}  // namespace

std::vector<std::int32_t> assign_by_hopa(const Repository& repository, std::span<const Thread> threads,
                                         std::span<const std::int32_t> above) {
  return Hopa(repository, threads, above).assign();
}

}  // namespace takt::scheduling
