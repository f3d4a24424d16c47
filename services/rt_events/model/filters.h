// Subscriptions as expressions.
//
//   using namespace takt::rt_events;
//   filters::any({filters::event(20), filters::all({filters::event(21), filters::every(100ms)})})
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "rt_events/model/designators.h"
#include "rt_events/model/filter.h"

namespace takt::rt_events::filters {

// Entries of one filter, in prefix order.
using Entries = std::vector<FilterEntry>;

// Events of the type and the source; any_type and any_source match all.
inline Entries event(std::int32_t type, std::int32_t source = any_source) { return {{type, source}}; }

inline Entries group(Designator designator, std::initializer_list<Entries> members) {
  Entries all{{designator, static_cast<std::int32_t>(members.size())}};
  for (const Entries& each : members) all.insert(all.end(), each.begin(), each.end());
  return all;
}
// An event that one of the filters accepts.
inline Entries any(std::initializer_list<Entries> members) { return group(disjunction, members); }
// The latest event for each of the filters, when there is one for each.
inline Entries all(std::initializer_list<Entries> members) { return group(conjunction, members); }
// An event that satisfies all the filters.
inline Entries both(std::initializer_list<Entries> members) { return group(logical_and, members); }
inline Entries no(const Entries& filter) {
  Entries all{{negation}};
  all.insert(all.end(), filter.begin(), filter.end());
  return all;
}
// Events whose type and source have these bits after they were masked.
inline Entries masked(std::int32_t type_mask, std::int32_t type, std::int32_t source_mask,
                      std::int32_t source) {
  return {{masked_type}, {type_mask, source_mask}, {type, source}};
}

inline Entries timer(Designator kind, std::chrono::nanoseconds period) {
  using Unit = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
  const auto units = std::chrono::duration_cast<Unit>(period).count();
  return {{kind, any_source, static_cast<std::uint64_t>(units < 0 ? 0 : units)}};
}
// An event after this time, once.
inline Entries after(std::chrono::nanoseconds time) { return timer(once, time); }
// An event in each period.
inline Entries every(std::chrono::nanoseconds period) { return timer(interval, period); }
// An event when the group in which it stands has not been satisfied for this time.
inline Entries unless_within(std::chrono::nanoseconds time) { return timer(deadline, time); }

}  // namespace takt::rt_events::filters
