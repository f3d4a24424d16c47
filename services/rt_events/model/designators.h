// Types of events with a meaning of their own, in events and in subscriptions (TAO's real-time event
// service).
#pragma once

#include <cstdint>

namespace takt::rt_events {

// Numbers of RtecEventComm::EventHeader::type. Applications use types from first_own_type.
enum Designator : std::int32_t {
  any_type = 0,  // in a subscription: events of all types
  once = 4,      // timers: one event after a time
  interval = 5,  // an event in each period
  deadline = 6,  // an event when its group has not been satisfied for a period
  ungrouped = 7,
  conjunction = 8,
  disjunction = 9,
  negation = 10,
  logical_and = 11,
  bitmask = 12,
  masked_type = 13,
  null_filter = 14,
  first_own_type = 16,
};

inline constexpr std::int32_t any_source = 0;

}  // namespace takt::rt_events
