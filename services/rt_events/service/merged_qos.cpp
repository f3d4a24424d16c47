#include "rt_events/service/merged_qos.h"

#include <algorithm>

#include "rt_events/model/designators.h"

namespace takt::rt_events {
namespace {

using Kind = Filter::Kind;

void add_kinds(const Filter& filter, std::uint32_t index, EventKinds& kinds) {
  const Filter::Node& node = filter.nodes()[index];
  switch (node.kind) {
    case Kind::header:
      kinds.emplace_back(node.type, node.source);
      return;
    case Kind::bits:
    case Kind::both:  // an event that satisfies all children satisfies the first
      if (index + 1 < node.end) return add_kinds(filter, index + 1, kinds);
      return;
    case Kind::either:
    case Kind::all:
      for (std::uint32_t child = index + 1; child < node.end; child = filter.nodes()[child].end)
        add_kinds(filter, child, kinds);
      return;
    case Kind::timer:
      return;
    case Kind::every:
    case Kind::masked:
    case Kind::inversion:
      break;
  }
  kinds.emplace_back(any_type, any_source);
}

RtecEventComm::Event event_of(std::int32_t type, std::int32_t source) {
  RtecEventComm::Event event;
  event.header().type(type);
  event.header().source(source);
  return event;
}

}  // namespace

EventKinds kinds_accepted_by(const Filter& filter) {
  EventKinds kinds;
  add_kinds(filter, 0, kinds);
  merge(kinds);
  return kinds;
}

// Sorted, the kind of all types comes first, and within a type the one of all sources.
void merge(EventKinds& kinds) {
  std::ranges::sort(kinds);
  kinds.erase(std::ranges::unique(kinds).begin(), kinds.end());
  const auto has = [&](std::int32_t type, std::int32_t source) {
    return std::ranges::binary_search(kinds, std::pair(type, source));
  };
  EventKinds merged;
  for (const auto& [type, source] : kinds) {
    const bool by_type = type != any_type && has(any_type, source);
    const bool by_source = source != any_source && has(type, any_source);
    const bool by_all = (type != any_type || source != any_source) && has(any_type, any_source);
    if (!by_type && !by_source && !by_all) merged.emplace_back(type, source);
  }
  kinds = std::move(merged);
}

RtecEventChannelAdmin::ConsumerQOS consumer_qos(const EventKinds& merged) {
  RtecEventChannelAdmin::ConsumerQOS qos;
  qos.is_gateway(false);
  if (merged.empty()) return qos;
  qos.dependencies().resize(merged.size() + 1);
  qos.dependencies()[0].event(event_of(disjunction, static_cast<std::int32_t>(merged.size())));
  for (std::size_t i = 0; i < merged.size(); ++i)
    qos.dependencies()[i + 1].event(event_of(merged[i].first, merged[i].second));
  return qos;
}

RtecEventChannelAdmin::SupplierQOS supplier_qos(const EventKinds& merged) {
  RtecEventChannelAdmin::SupplierQOS qos;
  qos.is_gateway(false);
  qos.publications().resize(merged.size());
  for (std::size_t i = 0; i < merged.size(); ++i)
    qos.publications()[i].event(event_of(merged[i].first, merged[i].second));
  return qos;
}

}  // namespace takt::rt_events
