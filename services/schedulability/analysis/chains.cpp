#include "schedulability/analysis/chains.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

class ChainAnalysis {
 public:
  explicit ChainAnalysis(const Analysis& analysis) : analysis_(analysis) {
    for (const Thread& each : analysis.threads)
      if (is_call(each)) waits_.insert(each.trigger->thread);
  }

  ChainResult bound(const Chain& chain, std::vector<std::size_t> threads) const {
    std::int64_t age = 0, reaction = 0;
    for (std::size_t k = 0; k < threads.size(); ++k) {
      const std::int64_t period = analysis_.threads[threads[k]].period.count();
      if (k == 0) reaction = period;
      if (k + 1 == threads.size()) {
        age = add(age, add(period, response(threads[k])));
        reaction = add(reaction, response(threads[k]));
        break;
      }
      const Time delay = chain.steps[k + 1].delay;
      if (delay == Time(0) && starts(threads[k], threads[k + 1])) continue;
      const bool waits = delay > Time(0) || !is_done_before(threads[k], threads[k + 1]);
      const std::int64_t late = waits ? add(response(threads[k]), delay.count()) : 0;
      age = add(age, add(period, late));
      reaction = add(reaction, add(analysis_.threads[threads[k + 1]].period.count(), late));
    }
    ChainResult result{.threads = std::move(threads)};
    if (age != unbounded) result.age = Time(age);
    if (reaction != unbounded) result.reaction = Time(reaction);
    const auto kept = [](const std::optional<Time>& bound, Time limit) {
      return limit == Time(0) || (bound && *bound <= limit);
    };
    const bool both = kept(result.age, chain.age) && kept(result.reaction, chain.reaction);
    result.verdict = both ? Verdict::meets : Verdict::unproven;
    return result;
  }

 private:
  std::int64_t response(std::size_t i) const {
    const auto& bound = analysis_.results[i].response;
    return bound ? bound->count() : unbounded;
  }

  // Whether each job of `consumer` is started by the end of a job of `producer`.
  bool starts(std::size_t producer, std::size_t consumer) const {
    while (analysis_.threads[consumer].trigger) {
      if (is_call(analysis_.threads[consumer])) return false;
      consumer = analysis_.threads[consumer].trigger->thread;
      if (consumer == producer) return true;
    }
    return false;
  }

  // Whether a job of `producer` that has arrived is always done when one of `consumer` begins.
  bool is_done_before(std::size_t producer, std::size_t consumer) const {
    const Thread &one = analysis_.threads[producer], &other = analysis_.threads[consumer];
    return is_fixed(analysis_.options.strategy) && one.processor == other.processor && !one.trigger &&
           one.reservation == 0 && other.reservation == 0 && one.jitter == Time(0) &&
           one.blocking == Time(0) && !waits_.contains(producer) &&
           analysis_.results[producer].load.level < analysis_.results[consumer].load.level;
  }

  const Analysis& analysis_;
  std::set<std::size_t> waits_;  // threads that wait for other processors
};

GraphFault fault(const Repository& repository, const Chain& chain, Handle operation,
                 const std::string& text) {
  const std::string& name = repository[operation].entry_point;
  return {GraphError::chain, name, operation,
          "operation '" + name + "' of the chain '" + chain.name + "' " + text};
}

std::expected<std::size_t, GraphFault> thread_of(const Repository& repository, const Analysis& analysis,
                                                 const Chain& chain, Handle operation) {
  const auto begins = std::ranges::find(analysis.threads, operation, &Thread::entry);
  if (begins == analysis.threads.end())
    return std::unexpected(
        fault(repository, chain, operation, "begins no thread; name the operation that calls it instead"));
  if (std::ranges::count(analysis.threads, operation, &Thread::entry) > 1)
    return std::unexpected(fault(repository, chain, operation,
                                 "begins several threads, one for each caller; only one is analysed"));
  if (is_call(*begins))
    return std::unexpected(fault(repository, chain, operation,
                                 "runs while its caller waits; name the operation that calls it instead"));
  return static_cast<std::size_t>(begins - analysis.threads.begin());
}

}  // namespace

std::expected<std::vector<ChainResult>, GraphFault> analyse_chains(const Repository& repository,
                                                                   const Analysis& analysis) {
  const ChainAnalysis bounds(analysis);
  std::vector<ChainResult> results;
  for (const Chain& chain : repository.chains()) {
    std::vector<std::size_t> threads;
    for (const ChainStep& step : chain.steps) {
      const auto thread = thread_of(repository, analysis, chain, step.operation);
      if (!thread) return std::unexpected(thread.error());
      threads.push_back(*thread);
    }
    results.push_back(bounds.bound(chain, std::move(threads)));
  }
  return results;
}

}  // namespace takt::scheduling
