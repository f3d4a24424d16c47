#include "scheduling/output/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "schedulability/analysis/blocking.h"
#include "schedulability/analysis/holistic.h"
#include "schedulability/model/arrivals.h"
#include "schedulability/model/checked.h"
#include "schedulability/model/words.h"
#include "scheduling/output/columns.h"

namespace takt::scheduling {
namespace {

std::string plural(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", part * 100);
  return text;
}

std::string decimal(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", number);
  return text;
}

std::string headline(const Analysis& analysis) {
  const bool urgent = analysis.options.strategy == Strategy::maximum_urgency_first;
  std::string text = plural(analysis.threads.size(), "thread") + " on " +
                     plural(analysis.processors.size(), "processor") + ", " +
                     std::string(strategy_names[static_cast<std::size_t>(analysis.options.strategy)]) + ", " +
                     plural(static_cast<std::size_t>(analysis.levels), "priority level") + ": ";
  const bool kept = std::ranges::all_of(
      analysis.chains, [](const ChainResult& each) { return each.verdict == Verdict::meets; });
  if (analysis.verdict == Verdict::meets)
    return text + "every deadline is met" +
           (kept ? ".\n" : ", but not every chain is proven to keep its limits.\n");
  if (urgent && analysis.critical_verdict == Verdict::meets)
    return text + "the critical set meets every deadline; the rest may not.\n";
  return text + (analysis.verdict == Verdict::misses ? "deadlines are missed.\n"
                                                     : "not every deadline is proven to be met.\n");
}

std::string describe(const ProcessorResult& processor) {
  std::string text = "processor " + std::to_string(processor.processor) + ": " +
                     plural(processor.threads, "thread") + (processor.threads == 1 ? " uses " : " use ") +
                     percent(processor.utilisation);
  if (processor.critical_utilisation)
    text += ", the critical set uses " + percent(*processor.critical_utilisation);
  if (processor.liu_layland)
    text +=
        "; Liu and Layland's bound is " + percent(*processor.liu_layland) +
        (processor.utilisation <= *processor.liu_layland ? " (kept)" : " (not kept, which proves nothing)");
  if (processor.hyperbolic)
    text += "; the hyperbolic product is " + decimal(*processor.hyperbolic) + " of 2" +
            (*processor.hyperbolic <= 2 ? " (kept)" : "");
  if (processor.overload)
    text += "; until " + text_of(processor.overload->at) + " after all are released together, " +
            text_of(processor.overload->needed) + " have to be done";
  return text + "\n";
}

std::string describe(const Repository& repository, const Analysis& analysis, const Shared& shared) {
  std::string text = (shared.is_lane ? "lane '" : "lock '") + shared.name + "' on processor " +
                     std::to_string(shared.processor) + ": ";
  if (is_fixed(analysis.options.strategy))
    text += "its ceiling is level " + std::to_string(shared.ceiling);
  else
    text += "its deadline floor is " + text_of(std::max(Time(0), shared.floor));
  return text + (shared.is_lane ? "; one request takes up to " : "; held up to ") + text_of(shared.held) +
         ", by '" + name_of(repository, analysis, longest_holder(analysis, shared)) + "'\n";
}

std::string describe_reservation(const Analysis& analysis, std::size_t number) {
  const Reservation& each = analysis.reservations[number];
  const double used = utilisation_in_reservation(analysis, number);
  return "reservation '" + each.name + "' on processor " + std::to_string(each.processor) + ": " +
         text_of(each.budget) + " of every " + text_of(each.period) + ", " +
         percent(static_cast<double>(each.budget.count()) / static_cast<double>(each.period.count())) +
         "; its threads use " + percent(used) + "\n";
}

// From the arrival of the busy period's first job until its window begins, nanoseconds; at least 0.
std::int64_t lateness_of(const Analysis& analysis, std::size_t i) {
  const Response& found = analysis.results[i].found;
  if (is_call(analysis.threads[i]) || found.worst == unbounded || found.window == unbounded) return 0;
  const Load& load = analysis.results[i].load;
  const std::int64_t begin = begin_of(load.period, load.burst, load.distance, found.job);
  return std::max<std::int64_t>(0, found.worst - found.window + begin);
}

bool is_unbounded(const Analysis& analysis, std::size_t i) { return !analysis.results[i].response; }

// A thread without a bound on which the missing bound of thread `i` rests: the one that starts it, a call for
// which it waits, or more urgent work whose release is late without bound.
std::optional<std::size_t> unbounded_before(const Analysis& analysis, std::size_t i) {
  const auto& threads = analysis.threads;
  const auto& trigger = threads[i].trigger;
  if (trigger && !is_call(threads[i]) && is_unbounded(analysis, trigger->thread)) return trigger->thread;
  for (std::size_t k = 0; k < threads.size(); ++k) {
    if (k == i || !is_unbounded(analysis, k)) continue;
    if (is_call(threads[k]) && threads[k].trigger->thread == i) return k;
    const bool beside =
        threads[k].processor == threads[i].processor && threads[k].reservation == threads[i].reservation;
    if (beside && analysis.results[k].load.taken_jitter == unbounded &&
        delays(analysis.results[k].load, analysis.results[i].load))
      return k;
  }
  return std::nullopt;
}

// The thread where looking for such threads ends; `i` itself if there is none. If bounds rest on each other,
// or the way is long, one on the way.
std::size_t first_unbounded(const Analysis& analysis, std::size_t i) {
  constexpr std::size_t most = 20;
  for (std::set<std::size_t> seen{i}; seen.size() < most;) {
    const auto before = unbounded_before(analysis, i);
    if (!before || !seen.insert(*before).second) break;
    i = *before;
  }
  return i;
}

std::string describe_unbounded(const Repository& repository, const Analysis& analysis, std::size_t i) {
  const Thread& thread = analysis.threads[i];
  constexpr double rounding = 1e-9;
  const auto on = std::ranges::find(analysis.processors, thread.processor, &ProcessorResult::processor);
  const bool is_full =
      thread.reservation == 0 && on != analysis.processors.end() && std::abs(on->utilisation - 1) <= rounding;
  const std::size_t first = first_unbounded(analysis, i);
  if (first != i)
    return ": no bound of its response was found: it rests on the response of '" +
           name_of(repository, analysis, first) + "', of which none was found.\n";
  return std::string(": no bound of its response was found: ") +
         (is_full ? "the processor is used to 100 %, so it may be busy without end"
                  : "more urgent work, or the calls that it waits for, leave too little time") +
         ".\n";
}

std::string describe_miss(const Repository& repository, const Analysis& analysis, std::size_t i) {
  const Thread& thread = analysis.threads[i];
  const ThreadResult& result = analysis.results[i];
  std::string text = "'" + name_of(repository, analysis, i) + "' ";
  if (result.verdict == Verdict::misses)
    text += "misses its deadline of " + text_of(thread.deadline);
  else
    text += "is not proven to meet its deadline of " + text_of(thread.deadline);
  if (!result.response) return text + describe_unbounded(repository, analysis, i);
  const std::int64_t late = lateness_of(analysis, i);
  text += (result.verdict == Verdict::misses ? " by " : ": the bound is over it by ") +
          text_of(*result.response - thread.deadline);
  if (result.by_busy_period)
    return text + ". The processor may be busy without a pause for " + text_of(Time(result.found.window)) +
           (late > 0 ? ", and the jitter of the arrival is " + text_of(Time(late)) : "") + ".\n";
  text += ". Of the " + text_of(Time(add(result.found.window, late))) +
          (late > 0 ? " from the arrival of its job 1" : "") + " until its job " +
          std::to_string(result.found.job + 1) + " is done:";
  const auto all = time_taken(repository, analysis, i);
  constexpr std::size_t most = 5;
  for (std::size_t k = 0; k < std::min(all.size(), most); ++k)
    text += (k == 0 ? " " : ", ") + text_of(all[k].time) + " for " + all[k].by;
  if (all.size() > most) text += ", and " + std::to_string(all.size() - most) + " more";
  return text + ".\n";
}

// Calls that are more urgent than their callers, on processors where a deadline may be missed.
std::string describe_raised_calls(const Repository& repository, const Analysis& analysis) {
  std::set<std::int32_t> processors;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i)
    if (analysis.results[i].verdict != Verdict::meets) processors.insert(analysis.threads[i].processor);
  std::string text;
  std::set<Handle> shown;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
    const Thread& thread = analysis.threads[i];
    if (!is_call(thread) || !processors.contains(thread.processor)) continue;
    const std::int32_t level = analysis.results[i].priority.level;
    const std::int32_t callers = analysis.results[thread.trigger->thread].priority.level;
    if (level >= callers || !shown.insert(thread.entry).second) continue;
    text += "'" + name_of(repository, analysis, i) + "' has level " + std::to_string(level) +
            ", although its caller has level " + std::to_string(callers) +
            ": an operation has one priority, that of its most urgent caller. Declare an operation of its "
            "own for the less urgent callers.\n";
  }
  return text;
}

std::string period_of(const Thread& thread) {
  return (thread.burst > 1 ? std::to_string(thread.burst) + " x " : "") + text_of(thread.period);
}

std::vector<std::size_t> by_priority(const Analysis& analysis) {
  std::vector<std::size_t> order(analysis.threads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tuple(analysis.results[i].priority.level, analysis.results[i].priority.subpriority, i);
  });
  return order;
}

}  // namespace

std::string name_of(const Repository& repository, const Analysis& analysis, std::size_t i) {
  const Thread& thread = analysis.threads[i];
  const std::string& name = repository[thread.entry].entry_point;
  if (!thread.trigger) return name;
  const std::string& other = repository[analysis.threads[thread.trigger->thread].entry].entry_point;
  return name + (is_call(thread) ? " for " : " after ") + other;
}

std::size_t longest_holder(const Analysis& analysis, const Shared& shared) {
  return *std::ranges::max_element(shared.users, {},
                                   [&](std::size_t i) { return held_by(analysis.threads[i], shared); });
}

double utilisation_in_reservation(const Analysis& analysis, std::size_t number) {
  double used = 0;
  for (const Thread& thread : analysis.threads)
    if (thread.reservation == number + 1)
      used += static_cast<double>(thread.execution.count()) / static_cast<double>(thread.period.count());
  return used;
}

namespace {

// The times that other threads, and reservations, take of the thread's window, the longest first.
std::vector<Taken> time_taken_by_others(const Repository& repository, const Analysis& analysis,
                                        std::size_t i) {
  const Thread& thread = analysis.threads[i];
  const ThreadResult& result = analysis.results[i];
  std::vector<Taken> all;
  for (std::size_t k = 0; k < analysis.threads.size(); ++k) {
    const ThreadResult& other = analysis.results[k];
    const bool is_beside = analysis.threads[k].processor == thread.processor &&
                           analysis.threads[k].reservation == thread.reservation;
    if (k == i || !is_beside || !delays(other.load, result.load)) continue;
    const auto share = std::ranges::find(result.shares, k, &std::pair<std::size_t, std::int64_t>::first);
    const Time time(share != result.shares.end() ? share->second : taken(other.load, result.found.window));
    if (time > Time(0)) all.push_back({"'" + name_of(repository, analysis, k) + "'", time});
  }
  if (thread.reservation == 0)
    for (const Reservation& each : analysis.reservations)
      if (each.processor == thread.processor)
        all.push_back({"reservation '" + each.name + "'", Time(taken(load_of(each), result.found.window))});
  std::ranges::stable_sort(all, std::greater(), &Taken::time);
  return all;
}

}  // namespace

std::vector<Taken> time_taken(const Repository& repository, const Analysis& analysis, std::size_t i) {
  const ThreadResult& result = analysis.results[i];
  if (result.found.window == unbounded || result.by_busy_period) return {};
  std::vector<Taken> all = time_taken_by_others(repository, analysis, i);
  all.push_back({"itself", Time(multiply(result.found.job + 1, result.load.own))});
  if (result.load.blocking > 0) all.push_back({"blocking", Time(result.load.blocking)});
  if (result.load.suspension > 0) all.push_back({"calls that it waits for", Time(result.load.suspension)});
  if (analysis.threads[i].reservation > 0) {
    Time left(result.found.window);
    for (const Taken& each : all) left -= each.time;
    all.push_back({"waiting for its budget", left});
  }
  if (const Time late(lateness_of(analysis, i)); late > Time(0)) {
    const auto& trigger = analysis.threads[i].trigger;
    all.push_back(
        {trigger ? "waiting for '" + name_of(repository, analysis, trigger->thread) + "'" : "its jitter",
         late});
  }
  return all;
}

std::string describe(const Repository& repository, const Analysis& analysis, std::size_t number) {
  const Chain& chain = repository.chains()[number];
  const ChainResult& result = analysis.chains[number];
  const auto kept = [](const std::optional<Time>& bound, Time limit) -> std::string {
    if (limit == Time(0)) return "";
    return " (limit " + text_of(limit) + (bound && *bound <= limit ? ": kept)" : ": unproven)");
  };
  return "chain '" + chain.name + "': " +
         (result.age ? "its data are up to " + text_of(*result.age) + " old"
                     : "the age of its data has no bound") +
         kept(result.age, chain.age) + "; a reaction " +
         (result.reaction ? "takes up to " + text_of(*result.reaction) : "has no bound") +
         kept(result.reaction, chain.reaction);
}

std::string report(const Repository& repository, const Analysis& analysis) {
  std::string text = headline(analysis);
  if (analysis.lowest_safe_level)
    text += "All operations down to priority level " + std::to_string(*analysis.lowest_safe_level) +
            " (0 is the most urgent) meet their deadlines.\n";
  else
    text += "There is no priority level whose operations are all proven to meet their deadlines.\n";
  for (const ProcessorResult& each : analysis.processors) text += describe(each);
  for (std::size_t k = 0; k < analysis.reservations.size(); ++k) text += describe_reservation(analysis, k);
  for (const Shared& each : analysis.shared) text += describe(repository, analysis, each);
  std::size_t width = 6;
  const auto order = by_priority(analysis);
  std::vector<std::string> names;
  for (const std::size_t i : order)
    width = std::max(width, characters_of(names.emplace_back(name_of(repository, analysis, i))));
  width = std::min<std::size_t>(width, 200);
  text += "\n" + in_column("level", 8) + in_column("thread", width + 2) + in_column("execution", 13) +
          in_column("period", 13) + in_column("deadline", 13) + in_column("responds in", 13) + "verdict\n";
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Thread& thread = analysis.threads[order[k]];
    const ThreadResult& result = analysis.results[order[k]];
    text +=
        in_column(std::to_string(result.priority.level) + "." + std::to_string(result.priority.subpriority),
                  8) +
        in_column(names[k], width + 2) + in_column(text_of(thread.execution) + " ", 13) +
        in_column(period_of(thread) + " ", 13) + in_column(text_of(thread.deadline) + " ", 13) +
        in_column((result.response ? text_of(*result.response) : "no bound") + " ", 13) +
        std::string(word_of(result.verdict)) + (result.priority.critical ? "" : ", not critical") + "\n";
  }
  if (!analysis.chains.empty()) text += '\n';
  for (std::size_t i = 0; i < analysis.chains.size(); ++i) text += describe(repository, analysis, i) + "\n";
  bool first = true;
  for (const std::size_t i : order) {
    if (analysis.results[i].verdict == Verdict::meets) continue;
    text += (std::exchange(first, false) ? "\n" : "") + describe_miss(repository, analysis, i);
  }
  if (!first) text += describe_raised_calls(repository, analysis);
  return text;
}

std::string report(const Repository& repository, const Sensitivity& sensitivity) {
  std::string text = "All execution times may be multiplied by " +
                     decimal(static_cast<double>(sensitivity.scale_permille) / 1000) + ".\n";
  if (sensitivity.shorten) {
    const Margin& margin = sensitivity.margins[static_cast<std::size_t>(*sensitivity.shorten) - 1];
    text += "To meet every deadline, shorten '" + repository[*sensitivity.shorten].entry_point + "' from " +
            text_of(margin.now) + " to " + text_of(*margin.longest) +
            ": the smallest change of one operation.\n";
  }
  for (const Margin& each : sensitivity.margins) {
    text += "'" + repository[each.operation].entry_point + "', " + text_of(each.now) + " now, ";
    if (!each.examined)
      text += "is not examined, because that takes too long\n";
    else if (!each.longest)
      text += "cannot prevent the misses, however short it is\n";
    else if (*each.longest >= longest_time)
      text += "is not limited by any deadline\n";
    else
      text += "may take up to " + text_of(*each.longest) + "\n";
  }
  return text;
}

}  // namespace takt::scheduling
