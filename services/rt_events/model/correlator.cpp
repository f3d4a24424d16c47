#include "rt_events/model/correlator.h"

#include <algorithm>

#include "rt_events/model/designators.h"

namespace takt::rt_events {

Correlator::Correlator(const Filter& filter) : filter_(filter), states_(filter_.nodes().size()) {
  set_.reserve(places(filter_));
}

std::size_t Correlator::places(const Filter& filter) {
  if (filter.is_plain()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(
      filter.nodes(), [](const Filter::Node& node) { return node.plain || node.kind == Kind::timer; }));
}

void Correlator::offer(const EventRef& event, CorrelatorSink& sink) {
  delivered_alone_ = false;
  deliver_from(0, event, sink);
}

void Correlator::clear() { clear_below(0, nullptr); }

bool Correlator::accepts(std::uint32_t index, const EventRef& event) const {
  const Filter::Node& node = filter_.nodes()[index];
  if (node.kind == Kind::timer) return event->timer == node.timer + 1;
  const RtecEventComm::EventHeader& header = event->event.header();
  return event->timer == 0 && filter_.matches(index, header.type(), header.source());
}

bool Correlator::deliver_from(std::uint32_t index, const EventRef& event, CorrelatorSink& sink) {
  const Filter::Node& node = filter_.nodes()[index];
  if (node.plain || node.kind == Kind::timer) return deliver_alone(index, event, sink);
  if (node.kind == Kind::all) return deliver_collected(index, event, sink);
  bool satisfied = false;
  for (std::uint32_t child = index + 1; child < node.end; child = filter_.nodes()[child].end)
    satisfied |= deliver_from(child, event, sink);
  if (satisfied) restart_timers_of(index, sink);
  return satisfied;
}

bool Correlator::deliver_alone(std::uint32_t index, const EventRef& event, CorrelatorSink& sink) {
  if (!accepts(index, event)) return false;
  if (!std::exchange(delivered_alone_, true)) sink.deliver({&event, 1});
  return true;
}

bool Correlator::deliver_collected(std::uint32_t index, const EventRef& event, CorrelatorSink& sink) {
  if (!collect(index, event)) return false;
  gather(index);
  clear_below(index, &sink);
  sink.deliver(set_);
  set_.clear();
  return true;
}

bool Correlator::collect(std::uint32_t index, const EventRef& event) {
  const Filter::Node& node = filter_.nodes()[index];
  State& state = states_[index];
  if (node.plain || node.kind == Kind::timer) {
    if (accepts(index, event)) {
      state.held = event;
      state.done = true;
    }
    return state.done;
  }
  const bool all = node.kind == Kind::all;
  bool satisfied = all;
  for (std::uint32_t child = index + 1; child < node.end; child = filter_.nodes()[child].end) {
    const bool child_is_satisfied = collect(child, event);
    satisfied = all ? satisfied && child_is_satisfied : satisfied || child_is_satisfied;
  }
  return state.done = satisfied;
}

void Correlator::gather(std::uint32_t index) {
  const State& state = states_[index];
  if (!state.done) return;
  if (state.held) {
    if (std::ranges::find(set_, state.held) == set_.end()) set_.push_back(state.held);
    return;
  }
  const std::uint32_t end = filter_.nodes()[index].end;
  for (std::uint32_t child = index + 1; child < end; child = filter_.nodes()[child].end) gather(child);
}

void Correlator::clear_below(std::uint32_t index, CorrelatorSink* sink) {
  const std::uint32_t end = filter_.nodes()[index].end;
  for (std::uint32_t node = index; node < end; ++node) {
    states_[node].held = {};
    states_[node].done = false;
    if (sink) restart_timers_of(node, *sink);
  }
}

void Correlator::restart_timers_of(std::uint32_t group, CorrelatorSink& sink) const {
  const auto timers = filter_.timers();
  for (std::uint32_t i = 0; i < timers.size(); ++i)
    if (timers[i].type == deadline && timers[i].group == group) sink.restart(i);
}

}  // namespace takt::rt_events
