// The calls that events through a channel amount to, for the analysis of deadlines (services/schedulability).
//
//   EventDependencies declared;
//   declared.add_supplier(sensor, {{.type = 20, .source = 1}});
//   declared.add_consumer(steering, filter);
//   for (const EventCalls& each : declared.calls())
//     scheduler.add_dependency(each.caller, each.callee, each.times, DependencyType::one_way);
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "rt_events/model/designators.h"
#include "rt_events/model/filter.h"

namespace takt::rt_events {

// Events that a supplier pushes each time that its operation runs. A type or source of 0 stands for all.
struct Publication {
  std::int32_t type = any_type, source = any_source;
  std::int64_t times = 1;
};

// One-way calls of a consumer's operation each time that a supplier's operation runs.
struct EventCalls {
  std::int32_t caller = 0, callee = 0;
  std::int64_t times = 0;
  bool operator==(const EventCalls&) const = default;
};

// A timer of a subscription, which starts the consumer's operation at most once a period.
struct TimerCalls {
  std::int32_t callee = 0;
  std::chrono::nanoseconds period{};
  bool once = false;  // only one time
  bool operator==(const TimerCalls&) const = default;
};

// How often the channel calls a consumer for one event of the publication, at most: once if filters accept
// the event alone, and once for each conjunction that it may complete. Takes time in proportion to the
// filter; allocates nothing.
std::int64_t most_deliveries(const Filter& filter, const Publication& publication);

// Publications and subscriptions of the clients of a channel. Operations are handles of a scheduler. An event
// counts for each consumer whose filter may accept it. A conjunction counts with each of its events, because
// any of them may be the last. Not thread-safe. Allocates.
class EventDependencies {
 public:
  void add_supplier(std::int32_t operation, std::span<const Publication> publications);
  void add_consumer(std::int32_t operation, const Filter& filter);

  // Sorted by caller and callee, each pair once. Calls of an operation by itself are left out: they are no
  // dependency, and their events pass without a bound.
  std::vector<EventCalls> calls() const;
  // Those whose calls are left out, sorted.
  std::vector<std::int32_t> operations_that_start_themselves() const;
  std::vector<TimerCalls> timers() const;  // by consumer, in the order of their declarations
  // The events that an operation pushes each time that it runs.
  std::int64_t pushes_of(std::int32_t operation) const;

 private:
  struct Supplier {
    std::int32_t operation = 0;
    Publication publication;
  };
  struct Consumer {
    std::int32_t operation = 0;
    Filter filter;
  };

  using Times = std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t>;  // by caller and callee
  Times times() const;

  std::vector<Supplier> suppliers_;
  std::vector<Consumer> consumers_;
};

}  // namespace takt::rt_events
