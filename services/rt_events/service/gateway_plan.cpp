#include "rt_events/service/gateway_plan.h"

#include <algorithm>

namespace takt::rt_events {
namespace {

using EventKind = EventKinds::value_type;

bool includes(const EventKind& wide, const EventKind& narrow) {
  return (wide.first == any_type || wide.first == narrow.first) &&
         (wide.second == any_source || wide.second == narrow.second);
}

bool meet(std::int32_t a, std::int32_t b) { return a == b || a == 0 || b == 0; }

// Whether an event may be of both.
bool overlap(const EventKinds& some, const EventKinds& others) {
  return std::ranges::any_of(some, [&](const EventKind& a) {
    return std::ranges::any_of(
        others, [&](const EventKind& b) { return meet(a.first, b.first) && meet(a.second, b.second); });
  });
}

filters::Entries any_of(const EventKinds& kinds) {
  filters::Entries entries{{disjunction, static_cast<std::int32_t>(kinds.size())}};
  for (const auto& [type, source] : kinds) entries.push_back({type, source});
  return entries;
}

}  // namespace

EventKinds GatewayPlan::covered() const {
  EventKinds all;
  for (const EventKinds& part : parts_) all.insert(all.end(), part.begin(), part.end());
  merge(all);
  return all;
}

EventKinds GatewayPlan::missing(const EventKinds& wanted) const {
  const EventKinds had = covered();
  EventKinds missing;
  for (const EventKind& kind : wanted)
    if (std::ranges::none_of(had, [&](const EventKind& each) { return includes(each, kind); }))
      missing.push_back(kind);
  if (!missing.empty() && missing.size() + had.size() > most_kinds) return {{any_type, any_source}};
  return missing;
}

filters::Entries GatewayPlan::filter_for(const EventKinds& kinds) const {
  const EventKinds had = covered();
  if (!overlap(kinds, had)) return any_of(kinds);
  return filters::both({any_of(kinds), filters::no(any_of(had))});
}

std::vector<std::size_t> GatewayPlan::needless(const EventKinds& wanted) const {
  std::vector<std::size_t> needless;
  std::vector<const EventKinds*> later;  // that stay
  for (std::size_t i = parts_.size(); i-- > 0;) {
    const EventKinds& part = parts_[i];
    const bool stays = overlap(part, wanted) || std::ranges::any_of(later, [&](const EventKinds* each) {
                         return overlap(part, *each);
                       });
    if (stays)
      later.push_back(&part);
    else
      needless.push_back(i);
  }
  return needless;
}

}  // namespace takt::rt_events
