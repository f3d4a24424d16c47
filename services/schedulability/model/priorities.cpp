#include "schedulability/model/priorities.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>

namespace takt::scheduling {
namespace {

double utilisation(const Thread& thread) {
  return static_cast<double>(thread.execution.count()) / static_cast<double>(thread.period.count());
}

std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// The threads with the shortest periods, as many as fit on their processors.
std::vector<bool> most_frequent(std::span<const Thread> threads) {
  auto order = numbers(threads.size());
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return threads[i].period; });
  std::vector<bool> chosen(threads.size(), false);
  std::map<std::int32_t, std::pair<double, bool>> used;  // utilisation; whether a thread did not fit
  for (const std::size_t i : order) {
    auto& [sum, full] = used[threads[i].processor];
    if (full) continue;
    sum += utilisation(threads[i]);
    full = sum > 1.0 + 1e-12;
    chosen[i] = !full;
  }
  return chosen;
}

std::vector<bool> critical_set(std::span<const Thread> threads) {
  std::vector<bool> critical;
  for (const Thread& thread : threads) critical.push_back(thread.criticality >= Criticality::high);
  return std::ranges::find(critical, true) != critical.end() ? critical : most_frequent(threads);
}

// The key that orders levels: less is more urgent.
std::int64_t urgency(const Thread& thread, Strategy strategy, bool critical, std::int32_t declared) {
  switch (strategy) {
    case Strategy::declared_priorities:
      return -std::int64_t{declared};
    case Strategy::rate_monotonic:
      return thread.period.count();
    case Strategy::deadline_monotonic:
      return thread.deadline.count();
    case Strategy::maximum_urgency_first:
      return critical ? 0 : 1;
    default:
      return 0;
  }
}

// An operation has one priority, as a queue of events has. Threads that one-way calls begin at an operation,
// and those of calls that callers on other processors wait for, get the most urgent level of all threads that
// run the operation. Their operations then have that level too, so it goes on from the most urgent thread to
// the least urgent one.
void unite_entries(std::span<const Thread> threads, std::vector<ThreadPriority>& priorities) {
  using Next = std::pair<std::int32_t, std::size_t>;  // level and thread
  std::map<Handle, std::vector<std::size_t>> begun;   // by calls, at the operation
  std::vector<std::vector<std::size_t>> calls(threads.size());
  std::priority_queue<Next, std::vector<Next>, std::greater<>> open;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (threads[i].trigger) begun[threads[i].entry].push_back(i);
    if (is_call(threads[i]))
      calls[threads[i].trigger->thread].push_back(i);
    else
      open.emplace(priorities[i].level, i);
  }
  std::vector<bool> done(threads.size(), false);
  while (!open.empty()) {
    const auto [level, i] = open.top();
    open.pop();
    if (done[i]) continue;
    done[i] = true;
    priorities[i].level = level;
    for (const std::size_t call : calls[i]) open.emplace(level, call);
    for (const Handle member : threads[i].members)
      if (const auto entry = begun.extract(member))
        for (const std::size_t other : entry.mapped()) open.emplace(level, other);
  }
}

// A thread that was given the critical level is critical. A call that a caller waits for is critical if the
// caller is, also when more urgent callers of the same operation give it the critical level.
void set_critical(std::span<const Thread> threads, Priorities& result) {
  const auto is_critical = [](const ThreadPriority& each) { return each.critical; };
  const bool any = std::ranges::any_of(result.threads, is_critical);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    ThreadPriority& each = result.threads[i];
    each.critical = is_call(threads[i]) ? result.threads[threads[i].trigger->thread].critical
                                        : each.critical || (any && each.level == 0);
  }
}

// Empty unless a thread lacks a declared priority.
std::optional<PriorityFault> missing_priority(const Repository& repository, std::span<const Thread> threads) {
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const RtInfo& entry = repository[threads[priority_holder(threads, i)].entry];
    if (entry.declared_priority > 0) continue;
    return PriorityFault{
        PriorityError::no_priority, entry.entry_point, entry.handle,
        "operation '" + entry.entry_point +
            "' begins a thread but declares no priority; declare one, or use another strategy"};
  }
  return std::nullopt;
}

}  // namespace

std::size_t priority_holder(std::span<const Thread> threads, std::size_t i) {
  while (is_call(threads[i])) i = threads[i].trigger->thread;
  return i;
}

namespace {

// Gives levels to the threads in their order, the most urgent first. Returns the first thread without a
// level; none if there are enough.
template <class Key>
std::optional<std::size_t> give_levels(std::span<const Thread> threads, const std::vector<std::size_t>& order,
                                       const PriorityOptions& options, const Key& key, Priorities& result) {
  const bool each =
      options.level_each && is_fixed(options.strategy) && options.strategy != Strategy::declared_priorities;
  std::optional<std::int64_t> last;
  std::optional<std::size_t> too_many;
  for (const std::size_t i : order) {
    // A call that a caller waits for runs at the caller's priority and takes no level of its own.
    const bool taken = each && is_call(threads[i]);
    if (!taken && (each || last != key(i))) ++result.levels;
    last = key(i);
    if (options.levels > 0 && result.levels > options.levels && !too_many) too_many = i;
    result.threads[i].level = std::max(result.levels - 1, 0);
  }
  return too_many;
}

PriorityFault too_few_levels(const std::string& first_without, std::int32_t needed, std::int32_t available) {
  return {PriorityError::insufficient_priority_levels, first_without, needed,
          std::to_string(needed) + " priority levels are needed, but there are " + std::to_string(available) +
              ": operation '" + first_without +
              "' is the first without one; share levels, or use fewer different rates"};
}

void share_levels(Priorities& result, std::int32_t available) {
  for (ThreadPriority& thread : result.threads)
    thread.level = static_cast<std::int32_t>(std::int64_t{thread.level} * available / result.levels);
  result.levels = available;
}

void give_subpriorities(const std::vector<std::size_t>& order, Priorities& result) {
  std::vector<std::int32_t> next(static_cast<std::size_t>(std::max(result.levels, 1)), 0);
  for (const std::size_t i : order) {
    ThreadPriority& thread = result.threads[i];
    thread.subpriority = next[static_cast<std::size_t>(thread.level)]++;
  }
}

}  // namespace

std::expected<Priorities, PriorityFault> assign_priorities(const Repository& repository,
                                                           std::span<const Thread> threads,
                                                           const PriorityOptions& options) {
  if (options.strategy == Strategy::declared_priorities)
    if (auto missing = missing_priority(repository, threads)) return std::unexpected(std::move(*missing));
  const auto critical = options.strategy == Strategy::maximum_urgency_first
                            ? critical_set(threads)
                            : std::vector<bool>(threads.size(), true);
  const auto key = [&](std::size_t i) {
    const RtInfo& entry = repository[threads[priority_holder(threads, i)].entry];
    return urgency(threads[i], options.strategy, critical[i], entry.declared_priority);
  };
  auto order = numbers(threads.size());
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::tuple(key(i), threads[i].place, i); });

  Priorities result;
  result.threads.resize(threads.size());
  for (const std::size_t i : order) result.threads[i].critical = critical[i];
  const auto too_many = give_levels(threads, order, options, key, result);
  unite_entries(threads, result.threads);
  set_critical(threads, result);
  if (too_many && !options.share_levels)
    return std::unexpected(
        too_few_levels(repository[threads[*too_many].entry].entry_point, result.levels, options.levels));
  if (too_many) share_levels(result, options.levels);
  give_subpriorities(order, result);
  return result;
}

}  // namespace takt::scheduling
