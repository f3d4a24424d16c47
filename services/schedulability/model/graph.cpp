#include "schedulability/model/graph.h"

#include <algorithm>
#include <queue>

namespace takt::scheduling {
namespace {

// Finds a cycle among the operations that still have callers. Each has a caller among them, so following
// callers must return to an operation already seen.
GraphFault cycle_in(const Repository& repository, const std::vector<std::int64_t>& callers_left) {
  std::vector<Handle> caller(callers_left.size(), 0);
  Handle handle = 0;
  for (const RtInfo& info : repository.infos()) {
    if (callers_left[index_of(info.handle)] == 0) continue;
    for (const DependencyInfo& each : info.dependencies)
      if (callers_left[index_of(each.rt_info)] > 0) caller[index_of(each.rt_info)] = info.handle;
    if (handle == 0) handle = info.handle;
  }
  std::vector<bool> seen(caller.size(), false);
  while (!seen[index_of(handle)]) {
    seen[index_of(handle)] = true;
    handle = caller[index_of(handle)];
  }
  std::vector<Handle> circle{handle};
  for (Handle each = caller[index_of(handle)]; each != handle; each = caller[index_of(each)])
    circle.push_back(each);
  circle.push_back(handle);
  std::ranges::reverse(circle);
  std::string text = "operations depend on each other in a cycle: ";
  for (std::size_t i = 0; i < circle.size(); ++i)
    text += (i == 0 ? "" : " -> ") + repository[circle[i]].entry_point;
  text += "; declare the cycle as one operation, with the execution time of all its rounds";
  return {GraphError::cycle, repository[handle].entry_point, static_cast<std::int64_t>(circle.size()) - 1,
          std::move(text)};
}

}  // namespace

std::expected<std::vector<Handle>, GraphFault> callers_first(const Repository& repository) {
  std::vector<std::int64_t> callers_left(repository.infos().size(), 0);
  for (const RtInfo& info : repository.infos())
    for (const DependencyInfo& each : info.dependencies) ++callers_left[index_of(each.rt_info)];
  std::vector<Handle> order;
  order.reserve(callers_left.size());
  for (const RtInfo& info : repository.infos())
    if (callers_left[index_of(info.handle)] == 0) order.push_back(info.handle);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const DependencyInfo& each : repository[order[next]].dependencies)
      if (--callers_left[index_of(each.rt_info)] == 0) order.push_back(each.rt_info);
  if (order.size() != callers_left.size()) return std::unexpected(cycle_in(repository, callers_left));
  return order;
}

std::vector<Handle> by_importance(const Repository& repository, const std::vector<Handle>& order) {
  std::vector<Importance> importance(order.size());
  std::vector<std::size_t> waits_for(order.size());
  std::vector<std::vector<Handle>> callers(order.size());
  for (const Handle handle : order) {
    const RtInfo& info = repository[handle];
    Importance& own = importance[index_of(handle)];
    own = std::max(own, info.importance);
    waits_for[index_of(handle)] = info.dependencies.size();
    for (const DependencyInfo& each : info.dependencies) {
      callers[index_of(each.rt_info)].push_back(handle);
      importance[index_of(each.rt_info)] = std::max(importance[index_of(each.rt_info)], own);
    }
  }
  const auto later = [&](Handle a, Handle b) {
    const Importance of_a = importance[index_of(a)], of_b = importance[index_of(b)];
    return of_a != of_b ? of_a < of_b : a > b;
  };
  std::priority_queue<Handle, std::vector<Handle>, decltype(later)> ready(later);
  for (const Handle handle : order)
    if (waits_for[index_of(handle)] == 0) ready.push(handle);
  std::vector<Handle> sorted;
  sorted.reserve(order.size());
  while (!ready.empty()) {
    sorted.push_back(ready.top());
    ready.pop();
    for (const Handle caller : callers[index_of(sorted.back())])
      if (--waits_for[index_of(caller)] == 0) ready.push(caller);
  }
  return sorted;
}

}  // namespace takt::scheduling
