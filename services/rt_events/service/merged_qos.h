// The kinds of events that the clients of a channel want and offer together.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "RtecEventChannelAdminC.h"
#include "rt_events/model/filter.h"

namespace takt::rt_events {

// A type and a source; 0 stands for all.
using EventKinds = std::vector<std::pair<std::int32_t, std::int32_t>>;

// The kinds that consumers want, or those that suppliers offer.
enum class Declared : std::uint8_t { subscriptions, publications };

// Kinds of events that the filter may accept from suppliers. An event of another kind is not accepted; one of
// these may be, if masks, negations or groups permit it.
EventKinds kinds_accepted_by(const Filter& filter);
// Sorts the kinds, and leaves out those that another one includes.
void merge(EventKinds& kinds);

// A disjunction of the kinds. Empty if there are none.
RtecEventChannelAdmin::ConsumerQOS consumer_qos(const EventKinds& merged);
RtecEventChannelAdmin::SupplierQOS supplier_qos(const EventKinds& merged);

}  // namespace takt::rt_events
