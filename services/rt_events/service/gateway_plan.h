// The subscriptions of a channel at another channel, for its own consumers.
#pragma once

#include <vector>

#include "rt_events/model/filters.h"
#include "rt_events/service/merged_qos.h"

namespace takt::rt_events {

// The subscriptions at the other channel, in the order in which they were made. Together they accept each
// event that is wanted once: a later one leaves out the kinds of those before it. So a change of what is
// wanted neither loses nor repeats an event. A value; one thread.
class GatewayPlan {
 public:
  // Beyond this number of kinds it subscribes to all events.
  static constexpr std::size_t most_kinds = 64;

  // Kinds to subscribe to in addition. Empty: none.
  EventKinds missing(const EventKinds& wanted) const;
  // The filter of a subscription for these kinds.
  filters::Entries filter_for(const EventKinds& kinds) const;
  void add(EventKinds kinds) { parts_.push_back(std::move(kinds)); }
  // Indexes of subscriptions that may end, the last first: nothing is wanted of them, and no later one leaves
  // out what they accept.
  std::vector<std::size_t> needless(const EventKinds& wanted) const;
  void remove(std::size_t part) { parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(part)); }
  void clear() { parts_.clear(); }
  std::size_t size() const { return parts_.size(); }

 private:
  EventKinds covered() const;

  std::vector<EventKinds> parts_;
};

}  // namespace takt::rt_events
