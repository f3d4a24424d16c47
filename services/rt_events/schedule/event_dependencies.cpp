#include "rt_events/schedule/event_dependencies.h"

#include <algorithm>

namespace takt::rt_events {
namespace {

using Kind = Filter::Kind;

// Whether the filter accepts some, and whether it accepts all of a publication's events.
struct Match {
  bool some = false, all = false;
};

// Compares a filter with a publication, whose type and source may stand for all.
class Matcher {
 public:
  Matcher(const Filter& filter, const Publication& publication)
      : filter_(filter), publication_(publication) {}

  // As Correlator::offer() delivers. `alone`: the event is delivered by itself.
  std::int64_t deliveries(std::uint32_t index, bool& alone) const {
    const Filter::Node& node = filter_.nodes()[index];
    if (node.plain || node.kind == Kind::all) {
      const bool accepts = match(index).some;
      if (node.plain) alone |= accepts;
      return !node.plain && accepts ? 1 : 0;
    }
    std::int64_t sets = 0;
    if (node.kind != Kind::timer)
      for (std::uint32_t child = index + 1; child < node.end; child = filter_.nodes()[child].end)
        sets += deliveries(child, alone);
    return sets;
  }

 private:
  Match match(std::uint32_t index) const {
    const Filter::Node& node = filter_.nodes()[index];
    switch (node.kind) {
      case Kind::every:
        return {true, true};
      case Kind::header:
        return both_of(equals(node.type, publication_.type), equals(node.source, publication_.source));
      case Kind::bits:
        return both_of(
            both_of(common(node.type_mask, publication_.type), common(node.source_mask, publication_.source)),
            match(index + 1));
      case Kind::masked:
        return both_of(under(node.type_mask, node.type, publication_.type),
                       under(node.source_mask, node.source, publication_.source));
      case Kind::inversion: {
        const Match inner = match(index + 1);
        return {!inner.all, !inner.some};
      }
      case Kind::both:
        return over_children(index, {true, true}, both_of);
      case Kind::either:
      case Kind::all:  // any of the filters may be the last for which an event is missing
        return over_children(index, {false, false}, either_of);
      case Kind::timer:
        break;
    }
    return {};
  }

  static Match both_of(Match a, Match b) { return {a.some && b.some, a.all && b.all}; }
  static Match either_of(Match a, Match b) { return {a.some || b.some, a.all || b.all}; }
  static Match certainly(bool holds) { return {holds, holds}; }
  static Match perhaps() { return {true, false}; }

  static Match equals(std::int32_t wanted, std::int32_t value) {
    if (wanted == 0) return {true, true};
    return value == 0 ? perhaps() : certainly(wanted == value);
  }
  static Match common(std::int32_t mask, std::int32_t value) {
    return value == 0 && mask != 0 ? perhaps() : certainly((value & mask) != 0);
  }
  static Match under(std::int32_t mask, std::int32_t wanted, std::int32_t value) {
    return value == 0 && mask != 0 ? perhaps() : certainly((value & mask) == wanted);
  }

  template <class Combine>
  Match over_children(std::uint32_t index, Match result, Combine combine) const {
    const std::uint32_t end = filter_.nodes()[index].end;
    for (std::uint32_t child = index + 1; child < end; child = filter_.nodes()[child].end)
      result = combine(result, match(child));
    return result;
  }

  const Filter& filter_;
  const Publication& publication_;
};

// Numbers that do not fit stay at the largest one, which a scheduler refuses.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}
std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

}  // namespace

std::int64_t most_deliveries(const Filter& filter, const Publication& publication) {
  bool alone = false;
  const std::int64_t sets = Matcher(filter, publication).deliveries(0, alone);
  return sets + (alone ? 1 : 0);
}

void EventDependencies::add_supplier(std::int32_t operation, std::span<const Publication> publications) {
  for (const Publication& each : publications) suppliers_.push_back({operation, each});
}

void EventDependencies::add_consumer(std::int32_t operation, const Filter& filter) {
  consumers_.push_back({operation, filter});
}

EventDependencies::Times EventDependencies::times() const {
  Times times;
  for (const Supplier& supplier : suppliers_)
    for (const Consumer& consumer : consumers_) {
      if (supplier.publication.times <= 0) continue;
      const std::int64_t deliveries = most_deliveries(consumer.filter, supplier.publication);
      if (deliveries == 0) continue;
      std::int64_t& known = times[{supplier.operation, consumer.operation}];
      known = sum(known, product(deliveries, supplier.publication.times));
    }
  return times;
}

std::vector<EventCalls> EventDependencies::calls() const {
  std::vector<EventCalls> calls;
  for (const auto& [pair, number] : times())
    if (pair.first != pair.second) calls.push_back({pair.first, pair.second, number});
  return calls;
}

std::vector<std::int32_t> EventDependencies::operations_that_start_themselves() const {
  std::vector<std::int32_t> operations;
  for (const auto& [pair, number] : times())
    if (pair.first == pair.second) operations.push_back(pair.first);
  return operations;
}

std::vector<TimerCalls> EventDependencies::timers() const {
  std::vector<TimerCalls> timers;
  for (const Consumer& consumer : consumers_)
    for (const Filter::Timer& timer : consumer.filter.timers())
      timers.push_back({consumer.operation, timer.period, timer.type == once});
  return timers;
}

std::int64_t EventDependencies::pushes_of(std::int32_t operation) const {
  std::int64_t pushes = 0;
  for (const Supplier& each : suppliers_)
    if (each.operation == operation && each.publication.times > 0)
      pushes = sum(pushes, each.publication.times);
  return pushes;
}

}  // namespace takt::rt_events
