// The events that have arrived for the groups of one consumer's subscriptions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rt_events/model/event_pool.h"
#include "rt_events/model/filter.h"

namespace takt::rt_events {

// Gets what a correlator finds.
class CorrelatorSink {
 public:
  virtual ~CorrelatorSink() = default;
  // A filter or group is satisfied. The events are valid during the call.
  virtual void deliver(std::span<const EventRef> events) = 0;
  // The group in which a timer of type `deadline` stands was satisfied: its period begins anew.
  virtual void restart(std::uint32_t timer) = 0;
};

// Holds at most places() events. One thread at a time. offer() does not allocate.
//
// A conjunction keeps the latest event for each of its filters. When it has one for each, it delivers them
// together, in the order of its filters and each once, and forgets them. A disjunction outside of
// conjunctions delivers what its filters deliver; an event that several filters accept is delivered alone
// once.
class Correlator {
 public:
  // Copies the filter.
  explicit Correlator(const Filter& filter);

  void offer(const EventRef& event, CorrelatorSink& sink);
  // Forgets all events.
  void clear();
  // Events that it can hold for this filter.
  static std::size_t places(const Filter& filter);

 private:
  using Kind = Filter::Kind;
  struct State {
    EventRef held;      // the latest event of a plain node or timer below a conjunction
    bool done = false;  // satisfied; only below a conjunction
  };

  bool accepts(std::uint32_t node, const EventRef& event) const;
  bool deliver_from(std::uint32_t node, const EventRef& event, CorrelatorSink& sink);
  bool deliver_alone(std::uint32_t node, const EventRef& event, CorrelatorSink& sink);
  bool deliver_collected(std::uint32_t node, const EventRef& event, CorrelatorSink& sink);
  bool collect(std::uint32_t node, const EventRef& event);
  void gather(std::uint32_t node);
  void clear_below(std::uint32_t node, CorrelatorSink* sink);
  void restart_timers_of(std::uint32_t group, CorrelatorSink& sink) const;

  const Filter filter_;
  std::vector<State> states_;  // for each node
  std::vector<EventRef> set_;  // the events that are delivered; keeps its capacity
  bool delivered_alone_ = false;
};

}  // namespace takt::rt_events
