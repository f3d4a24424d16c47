#include "rt_events/model/filter_parser.h"

#include <utility>

#include "rt_events/model/designators.h"

namespace takt::rt_events {
namespace {

using TimeUnit = std::chrono::duration<std::uint64_t, std::ratio<1, 10'000'000>>;

// Ends a group that does not have the number of its filters.
bool ends_group(std::int32_t type) {
  return type == conjunction || type == disjunction || type == logical_and || type == ungrouped;
}

}  // namespace

std::expected<Filter, FilterFault> Filter::parse(std::span<const FilterEntry> entries,
                                                 const FilterLimits& limits) {
  return FilterParser(entries, limits).parse();
}

std::expected<Filter, FilterFault> FilterParser::parse() {
  if (entries_.size() > limits_.entries) {
    const std::string permitted = std::to_string(limits_.entries);
    return std::unexpected(FilterFault{limits_.entries, "the subscription has " +
                                                            std::to_string(entries_.size()) + " entries; " +
                                                            permitted + " are permitted"});
  }
  while (at_ < entries_.size()) {
    if (entries_[at_].type == ungrouped) {
      ++at_;
    } else if (!read({})) {
      return std::unexpected(std::move(*fault_));
    }
  }
  close(0);
  filter_.note_types();
  return std::move(filter_);
}

bool FilterParser::refuse(std::size_t entry, std::string text) {
  fault_ = FilterFault{entry, std::move(text)};
  return false;
}

const FilterEntry* FilterParser::next(const char* wanted) {
  if (at_ < entries_.size()) return &entries_[at_++];
  refuse(at_, std::string("the subscription ends where ") + wanted + " must follow");
  return nullptr;
}

std::uint32_t FilterParser::open(Kind kind) {
  const auto index = static_cast<std::uint32_t>(filter_.nodes_.size());
  filter_.nodes_.push_back({.kind = kind, .end = index + 1});
  return index;
}

bool FilterParser::close(std::uint32_t index) {
  auto& nodes = filter_.nodes_;
  Node& node = nodes[index];
  node.end = static_cast<std::uint32_t>(nodes.size());
  node.plain = node.kind != Kind::all && node.kind != Kind::timer;
  for (std::uint32_t child = index + 1; child < node.end; child = nodes[child].end)
    node.plain = node.plain && nodes[child].plain;
  return true;
}

bool FilterParser::read(const Place& place) {
  if (place.depth > limits_.depth)
    return refuse(at_, "filters are nested more than " + std::to_string(limits_.depth) + " deep");
  const FilterEntry* entry = next("a filter");
  if (!entry) return false;
  switch (entry->type) {
    case once:
    case interval:
    case deadline:
      return read_timer(*entry, place);
    case ungrouped:
      return refuse(at_ - 1, "designator 7 (global) stands within a group");
    case conjunction:
      return read_group(Kind::all, *entry, place);
    case disjunction:
      return read_group(Kind::either, *entry, place);
    case logical_and:
      return read_group(Kind::both, *entry, place);
    case negation:
      return read_inversion(place);
    case bitmask:
      return read_bits(place);
    case masked_type:
      return read_masked();
    case null_filter:
      return close(open(Kind::every));
    default:
      break;
  }
  Node& node = filter_.nodes_[open(Kind::header)];
  node.type = entry->type;
  node.source = entry->source;
  return true;
}

bool FilterParser::read_group(Kind kind, const FilterEntry& entry, const Place& place) {
  if (kind == Kind::all && place.within)
    return refuse(at_ - 1, std::string("a conjunction cannot stand within ") + place.within);
  if (entry.source < 0) return refuse(at_ - 1, "a group has " + std::to_string(entry.source) + " filters");
  if (entry.source == 0 && place.depth > 0)
    return refuse(at_ - 1, "a group within another needs the number of its filters");
  const std::uint32_t node = open(kind);
  Place inside{place.depth + 1, node, place.within};
  if (kind == Kind::both) inside.within = "a logical and";
  return read_members(entry, inside) && close(node);
}

bool FilterParser::read_members(const FilterEntry& entry, const Place& inside) {
  if (entry.source > 0) {
    for (std::int32_t i = 0; i < entry.source; ++i)
      if (!read(inside)) return false;
    return true;
  }
  const std::size_t first = at_;
  while (at_ < entries_.size() && !ends_group(entries_[at_].type))
    if (!read(inside)) return false;
  return at_ > first || refuse(at_ - 1, "a group has no filters");
}

bool FilterParser::read_timer(const FilterEntry& entry, const Place& place) {
  if (place.within) return refuse(at_ - 1, std::string("a timer cannot stand within ") + place.within);
  if (filter_.timers_.size() == limits_.timers)
    return refuse(at_ - 1, "the subscription has more than " + std::to_string(limits_.timers) + " timers");
  const std::string timer = "a timer of " + std::to_string(entry.time) + " x 100 ns is too ";
  if (entry.time > std::chrono::floor<TimeUnit>(limits_.longest_period).count())
    return refuse(at_ - 1, timer + "long");
  const auto period = std::chrono::nanoseconds(TimeUnit(entry.time));
  if (period < limits_.shortest_period) return refuse(at_ - 1, timer + "short");
  const std::uint32_t node = open(Kind::timer);
  filter_.nodes_[node].timer = static_cast<std::uint32_t>(filter_.timers_.size());
  filter_.timers_.push_back({entry.type, period, node, place.group});
  return close(node);
}

bool FilterParser::read_bits(const Place& place) {
  const FilterEntry* mask = next("the masks of designator 12 (bitmask)");
  if (!mask) return false;
  const std::uint32_t node = open(Kind::bits);
  filter_.nodes_[node].type_mask = mask->type;
  filter_.nodes_[node].source_mask = mask->source;
  return read({place.depth + 1, place.group, "a bitmask"}) && close(node);
}

bool FilterParser::read_masked() {
  const FilterEntry* mask = next("the masks of designator 13 (masked type)");
  const FilterEntry* value = mask ? next("the values of designator 13 (masked type)") : nullptr;
  if (!value) return false;
  Node& node = filter_.nodes_[open(Kind::masked)];
  node.type_mask = mask->type;
  node.source_mask = mask->source;
  node.type = value->type;
  node.source = value->source;
  return true;
}

bool FilterParser::read_inversion(const Place& place) {
  const std::uint32_t node = open(Kind::inversion);
  return read({place.depth + 1, place.group, "a negation"}) && close(node);
}

}  // namespace takt::rt_events
