#include "schedulability/analysis/analysis.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "schedulability/analysis/bounds.h"
#include "schedulability/analysis/chains.h"
#include "schedulability/analysis/demand.h"
#include "schedulability/analysis/holistic.h"
#include "schedulability/analysis/offsets.h"
#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

using Members = std::vector<std::size_t>;

class Analyser {
 public:
  explicit Analyser(Analysis& analysis) : analysis_(analysis) {
    waits_.assign(analysis.threads.size(), false);
    for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
      members_[analysis.threads[i].processor].push_back(i);
      if (is_call(analysis_.threads[i])) waits_[analysis.threads[i].trigger->thread] = true;
    }
  }

  void run(const Priorities& priorities) {
    bound_all(priorities);
    for (const auto& [processor, members] : members_) {
      ProcessorResult& result = analysis_.processors.emplace_back();
      result.processor = processor;
      result.threads = members.size();
      measure(members, result);
      if (is_fixed(analysis_.options.strategy)) {
        Members unreserved;
        for (const std::size_t i : members)
          if (analysis_.threads[i].reservation == 0) unreserved.push_back(i);
        look_for_misses(unreserved);
      } else {
        measure_demand(members, result);
      }
    }
    withdraw_what_rests_on_misses();
    sum_up();
  }

 private:
  bool is_plain(std::size_t i) const { return !analysis_.threads[i].trigger && !waits_[i]; }

  // Whether its critical instant may not happen.
  static bool is_phased(const Thread& thread) { return thread.phase != Time(0) || thread.transaction != 0; }

  void bound_all(const Priorities& priorities) {
    Blocking blocking = blocking_of(analysis_.threads, priorities, analysis_.options.strategy);
    HolisticResult found = holistic_analysis(analysis_.threads, blocking, analysis_.reservations);
    analysis_.steps += found.steps;
    analysis_.shared = std::move(blocking.shared);
    use_offsets(analysis_.threads, analysis_.reservations, found);
    for (std::size_t i = 0; i < analysis_.threads.size(); ++i) {
      ThreadResult& result = analysis_.results[i];
      result.priority = priorities.threads[i];
      result.found = found.responses[i];
      // A call may wait for those that its caller's other threads make at the same time.
      if (is_call(analysis_.threads[i]))
        result.found.worst = multiply(result.found.worst, analysis_.threads[i].at_once);
      result.by_busy_period = found.by_busy_period[i];
      result.load = found.loads[i];
      result.demand_blocking = Time(blocking.places[i].demand);
      result.shares = std::move(found.shares[i]);
      if (result.found.worst != unbounded) result.response = Time(result.found.worst);
      const bool in_time = result.response && *result.response <= analysis_.threads[i].deadline;
      result.verdict = in_time ? Verdict::meets : Verdict::unproven;
    }
    // A call meets its deadline only if the caller that waits for it does.
    for (std::size_t i = 0; i < analysis_.threads.size(); ++i)
      if (is_call(analysis_.threads[i])) {
        const ThreadResult& caller = analysis_.results[analysis_.threads[i].trigger->thread];
        analysis_.results[i].verdict = std::max(analysis_.results[i].verdict, caller.verdict);
      }
  }

  void measure(const Members& members, ProcessorResult& result) const {
    bool plain = analysis_.options.strategy == Strategy::rate_monotonic;
    std::vector<double> each;
    double critical = 0;
    for (const std::size_t i : members) {
      const Thread& thread = analysis_.threads[i];
      each.push_back(static_cast<double>(thread.execution.count()) /
                     static_cast<double>(thread.period.count()));
      result.utilisation += each.back();
      if (analysis_.results[i].priority.critical) critical += each.back();
      plain = plain && is_plain(i) && thread.deadline >= thread.period && thread.jitter == Time(0) &&
              analysis_.results[i].load.blocking == 0 && thread.lane.empty() && thread.burst == 1;
    }
    if (analysis_.options.strategy == Strategy::maximum_urgency_first) result.critical_utilisation = critical;
    plain = plain && std::ranges::find(analysis_.reservations, result.processor, &Reservation::processor) ==
                         analysis_.reservations.end();
    if (!plain) return;
    result.liu_layland = liu_layland_bound(members.size());
    result.hyperbolic = hyperbolic_product(each);
  }

  // Looks for certain misses at the critical instant. Counts only interference that is certain: no blocking,
  // no waiting, and equal phases.
  void look_for_misses(const Members& members) {
    const auto open = [&](std::size_t i) { return analysis_.results[i].verdict != Verdict::meets; };
    if (std::ranges::none_of(members, open)) return;
    const bool phased =
        std::ranges::any_of(members, [&](std::size_t i) { return is_phased(analysis_.threads[i]); });
    std::vector<Load> loads;
    for (const std::size_t i : members) {
      const Thread& thread = analysis_.threads[i];
      Load& load = loads.emplace_back(load_of(thread));
      load.level = analysis_.results[i].load.level;
      if (!is_plain(i) || phased) load.execution = 0;
    }
    std::int64_t steps = usual_steps;
    const auto responses = response_times(loads, Equals::leave_out, steps);
    analysis_.steps += usual_steps - steps;
    for (std::size_t k = 0; k < members.size(); ++k)
      if (open(members[k]) && !is_call(analysis_.threads[members[k]]) &&
          responses[k].seen > analysis_.threads[members[k]].deadline.count())
        analysis_.results[members[k]].verdict = Verdict::misses;
  }

  // The loads of the members in the critical set. Each job of a burst is a load, with a deadline that is
  // later by its distance from the begin.
  std::vector<DemandLoad> demand_loads(const Members& members) const {
    std::vector<DemandLoad> loads;
    for (const std::size_t i : members) {
      if (!analysis_.results[i].priority.critical) continue;
      const Thread& thread = analysis_.threads[i];
      // Until the first miss, a triggering thread is done by its own deadline.
      const Time jitter =
          thread.trigger ? analysis_.threads[thread.trigger->thread].deadline : Time(thread.jitter);
      for (std::int32_t job = 0; job < thread.burst; ++job)
        loads.push_back({thread.execution.count() / thread.burst, thread.period.count(),
                         (thread.deadline + job * thread.distance).count(), jitter.count(),
                         (thread.blocking + analysis_.results[i].demand_blocking).count()});
    }
    return loads;
  }

  // Demand analysis for EDF and MLF, and for the critical set of MUF, which other threads do not delay.
  void measure_demand(const Members& members, ProcessorResult& processor) {
    const auto is_critical = [&](std::size_t i) { return analysis_.results[i].priority.critical; };
    const auto waits = [&](std::size_t i) { return is_call(analysis_.threads[i]) || waits_[i]; };
    // A call of the critical level delays the critical set, also one that is not critical itself.
    const auto delays_critical = [&](std::size_t i) {
      return is_critical(i) || analysis_.results[i].priority.level == 0;
    };
    if (std::ranges::any_of(members, [&](std::size_t i) { return delays_critical(i) && waits(i); })) return;
    const Demand demand = processor_demand(demand_loads(members));
    if (demand.verdict != DemandVerdict::met && demand.at > 0)
      processor.overload = Overload{Time(demand.at), Time(demand.needed)};
    if (demand.verdict == DemandVerdict::met) suffices_.insert(processor.processor);
    const bool is_certain = std::ranges::all_of(members, [&](std::size_t i) {
      return !is_critical(i) || (is_plain(i) && !is_phased(analysis_.threads[i]));
    });
    if (demand.verdict != DemandVerdict::exceeded || !is_certain) return;
    processor.verdict = Verdict::misses;
    for (const std::size_t i : sure_to_miss(members, demand)) analysis_.results[i].verdict = Verdict::misses;
  }

  // The demand shows that a deadline is missed; these are the threads that certainly miss one.
  Members sure_to_miss(const Members& members, const Demand& demand) const {
    Members open;
    for (const std::size_t i : members)
      if (analysis_.results[i].priority.critical && analysis_.results[i].verdict != Verdict::meets)
        open.push_back(i);
    if (demand.at == 0) return open;  // all are later and later
    const auto with = [&](const auto& matches) {
      Members found;
      std::ranges::copy_if(open, std::back_inserter(found),
                           [&](std::size_t i) { return std::ranges::any_of(demand_loads({i}), matches); });
      return found;
    };
    Members hopeless = with([](const DemandLoad& each) { return first_deadline(each) < each.execution; });
    if (!hopeless.empty()) return hopeless;
    const bool in_order = analysis_.options.strategy == Strategy::earliest_deadline_first;
    const auto first = first_overload(demand_loads(members), demand.at);
    const std::int64_t at = first.value_or(demand.at);
    Members able = with([&](const DemandLoad& each) {
      return in_order && first ? has_deadline_at(each, at) : first_deadline(each) <= at;
    });
    if (able.size() > 1) able.clear();  // one of them does
    return able;
  }

  bool is_proven(std::size_t i) const {
    const ThreadResult& result = analysis_.results[i];
    return result.verdict == Verdict::meets ||
           (result.priority.critical && suffices_.contains(analysis_.threads[i].processor));
  }

  // The demand analysis assumes that triggering threads meet their deadlines. Withdraws its result for
  // processors where one does not.
  void withdraw_what_rests_on_misses() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [processor, members] : members_)
        changed |= suffices_.contains(processor) &&
                   std::ranges::any_of(members,
                                       [&](std::size_t i) {
                                         const auto& trigger = analysis_.threads[i].trigger;
                                         return trigger && analysis_.results[i].priority.critical &&
                                                !is_proven(trigger->thread);
                                       }) &&
                   suffices_.erase(processor) > 0;
    }
    for (std::size_t i = 0; i < analysis_.threads.size(); ++i) {
      ThreadResult& result = analysis_.results[i];
      if (result.verdict == Verdict::meets || !is_proven(i)) continue;
      result.verdict = Verdict::meets;
      result.response = std::min(result.response.value_or(Time::max()), analysis_.threads[i].deadline);
    }
  }

  void sum_up() {
    std::vector<bool> safe(static_cast<std::size_t>(analysis_.levels), true);
    std::map<std::int32_t, ProcessorResult*> processors;
    for (ProcessorResult& each : analysis_.processors) processors[each.processor] = &each;
    for (std::size_t i = 0; i < analysis_.threads.size(); ++i) {
      const ThreadResult& result = analysis_.results[i];
      Verdict& processor = processors[analysis_.threads[i].processor]->verdict;
      processor = std::max(processor, result.verdict);
      analysis_.verdict = std::max(analysis_.verdict, result.verdict);
      if (result.priority.critical)
        analysis_.critical_verdict = std::max(analysis_.critical_verdict, result.verdict);
      if (result.verdict != Verdict::meets) safe[static_cast<std::size_t>(result.priority.level)] = false;
    }
    for (ProcessorResult& each : analysis_.processors) {
      if (each.overload && each.verdict == Verdict::misses)
        analysis_.verdict = analysis_.critical_verdict = Verdict::misses;
      if (each.utilisation <= 1.0 + 1e-9) continue;
      // Some thread misses, although it is not known which.
      each.verdict = analysis_.verdict = Verdict::misses;
      if (analysis_.options.strategy != Strategy::maximum_urgency_first)
        analysis_.critical_verdict = Verdict::misses;
    }
    const auto count = std::ranges::find(safe, false) - safe.begin();
    if (count > 0) analysis_.lowest_safe_level = static_cast<std::int32_t>(count) - 1;
  }

  Analysis& analysis_;
  std::map<std::int32_t, Members> members_;
  std::vector<bool> waits_;
  std::set<std::int32_t> suffices_;  // processors whose demand is met if triggering threads are in time
};

}  // namespace

namespace {

// Reservations, locks and lanes whose jobs have no order that the analysis knows.
std::optional<GraphFault> without_order(const Repository& repository, const Analysis& analysis) {
  const Strategy strategy = analysis.options.strategy;
  if (is_fixed(strategy)) return std::nullopt;
  const auto name_of = [](std::size_t number) { return std::string(strategy_names[number]); };
  const std::string unknown = " priorities, not for " + name_of(static_cast<std::size_t>(strategy));
  if (!repository.reservations().empty())
    return GraphFault{GraphError::reservation, "", 0,
                      "reservation '" + repository.reservations().front().name +
                          "': reservations are analysed for " + name_of(0) + " and " + name_of(1) + unknown};
  if (strategy == Strategy::earliest_deadline_first) return std::nullopt;
  const auto shares = [](const Thread& each) { return !each.locks.empty() || !each.lane.empty(); };
  const auto found = std::ranges::find_if(analysis.threads, shares);
  if (found == analysis.threads.end()) return std::nullopt;
  const std::string& name = repository[found->entry].entry_point;
  return GraphFault{GraphError::sharing, name, found->entry,
                    "operation '" + name + "' has " + (found->lane.empty() ? "locks" : "a lane") +
                        ", which are analysed for " + name_of(0) + ", " + name_of(1) + " and " + name_of(2) +
                        unknown};
}

}  // namespace

std::expected<Analysis, AnalysisFault> analyse(const Repository& repository, const PriorityOptions& options) {
  auto threads = find_threads(repository);
  if (!threads) return std::unexpected(AnalysisFault(std::move(threads.error())));
  auto priorities = assign_priorities(repository, *threads, options);
  if (!priorities) return std::unexpected(AnalysisFault(std::move(priorities.error())));
  Analysis analysis;
  analysis.options = options;
  analysis.threads = std::move(*threads);
  if (auto fault = without_order(repository, analysis)) return std::unexpected(AnalysisFault(*fault));
  analysis.results.resize(analysis.threads.size());
  analysis.levels = priorities->levels;
  analysis.reservations.assign(repository.reservations().begin(), repository.reservations().end());
  Analyser(analysis).run(*priorities);
  auto chains = analyse_chains(repository, analysis);
  if (!chains) return std::unexpected(AnalysisFault(std::move(chains.error())));
  analysis.chains = std::move(*chains);
  for (const ChainResult& each : analysis.chains)
    analysis.critical_verdict = std::max(analysis.critical_verdict, each.verdict);
  return analysis;
}

const std::string& text_of(const AnalysisFault& fault) {
  return std::visit([](const auto& each) -> const std::string& { return each.text; }, fault);
}

}  // namespace takt::scheduling
