#include "schedulability/assignment/assignment.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "schedulability/assignment/audsley.h"
#include "schedulability/assignment/hopa.h"
#include "schedulability/assignment/ranks.h"

namespace takt::scheduling {

std::vector<std::int32_t> ranked(std::span<const Thread> threads, std::span<const double> keys,
                                 std::span<const std::int32_t> above) {
  struct Entry {
    double key;
    std::size_t place;
  };
  std::map<std::int32_t, std::map<Handle, Entry>> processors;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (is_call(threads[i])) continue;
    const auto [known, is_new] =
        processors[threads[i].processor].try_emplace(threads[i].entry, Entry{keys[i], threads[i].place});
    if (!is_new) known->second.key = std::min(known->second.key, keys[i]);
  }
  std::vector<std::int32_t> result(above.size(), 0);
  for (const auto& [processor, entries] : processors) {
    std::vector<std::pair<Handle, Entry>> order(entries.begin(), entries.end());
    std::ranges::sort(order, std::greater(), [&](const auto& each) {
      return std::tuple(-above[index_of(each.first)], each.second.key, each.second.place, each.first);
    });
    for (std::size_t i = 0; i < order.size(); ++i)
      result[index_of(order[i].first)] = static_cast<std::int32_t>(i) + 1;
  }
  return result;
}

std::expected<std::vector<std::int32_t>, AssignmentFault> assign(const Repository& repository,
                                                                 Assignment method,
                                                                 std::span<const Handle> above) {
  std::vector<std::int32_t> numbers(repository.infos().size(), 0);
  for (const Handle each : above) {
    const RtInfo& info = repository[each];
    if (info.declared_priority == 0)
      return std::unexpected(AssignmentFault{
          AssignmentError::no_priority, info.entry_point, each,
          "operation '" + info.entry_point +
              "' declares no priority, which would say where it is among those above the others"});
    numbers[index_of(each)] = info.declared_priority;
  }
  const auto threads = find_threads(repository);
  if (!threads)
    return std::unexpected(AssignmentFault{AssignmentError::unusable, threads.error().operation,
                                           threads.error().number, threads.error().text});
  if (method == Assignment::audsley) return assign_by_audsley(repository, *threads, numbers);
  if (method == Assignment::hopa) return assign_by_hopa(repository, *threads, numbers);
  std::vector<double> deadlines;
  for (const Thread& each : *threads) deadlines.push_back(static_cast<double>(each.deadline.count()));
  return ranked(*threads, deadlines, numbers);
}

std::vector<Declaration> priority_declarations(const Repository& repository,
                                               const std::vector<std::int32_t>& priorities) {
  std::vector<Declaration> all;
  for (const RtInfo& each : repository.infos()) {
    const std::int32_t priority = priorities[index_of(each.handle)];
    if (priority == 0) continue;
    Declaration& made = all.emplace_back();
    made.name = each.entry_point;
    made.needs.declared_priority = priority;
    made.note("priority");
  }
  return all;
}

Repository with_priorities(const Repository& repository, const std::vector<std::int32_t>& priorities) {
  Repository changed = repository;
  for (const RtInfo& each : repository.infos())
    changed.at_valid(each.handle).declared_priority = priorities[index_of(each.handle)];
  return changed;
}

}  // namespace takt::scheduling
