// The subscription of a consumer of a real-time event channel, as a tree.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace takt::rt_events {

// An entry of a subscription: a filter or a designator, in prefix order. It has the parts of an EventHeader
// that count.
struct FilterEntry {
  std::int32_t type = 0;    // the type of events, or a Designator
  std::int32_t source = 0;  // the source of events, or the number of filters in a group
  std::uint64_t time = 0;   // a timer's period, in units of 100 ns
};

struct FilterLimits {
  std::size_t entries = 256;
  std::size_t depth = 16;  // filters within filters
  std::size_t timers = 16;
  std::chrono::nanoseconds shortest_period = std::chrono::milliseconds(1);  // for timers
  std::chrono::nanoseconds longest_period = std::chrono::hours(24 * 366);
};

struct FilterFault {
  std::size_t entry = 0;  // index of the entry at fault; their number, if entries are missing
  std::string text;
};

// Immutable. Copies are independent. Any thread; matching neither allocates nor blocks.
class Filter {
 public:
  enum class Kind : std::uint8_t {
    every,      // matches all events
    header,     // matches type and source
    bits,       // requires common bits, and that the next filter matches
    masked,     // compares the masked type and source
    inversion,  // requires that the next filter does not match
    both,       // requires that all filters match one event
    either,     // accepts what one of the filters accepts
    all,        // collects an event for each filter
    timer
  };
  // In prefix order: the children of a node follow it, up to `end`.
  struct Node {
    Kind kind = Kind::every;
    bool plain = true;  // nothing below collects events, and there are no timers
    std::int32_t type = 0, source = 0;
    std::int32_t type_mask = 0, source_mask = 0;
    std::uint32_t end = 0;
    std::uint32_t timer = 0;  // index in timers()
  };
  struct Timer {
    std::int32_t type = 0;  // once, interval or deadline
    std::chrono::nanoseconds period{};
    std::uint32_t node = 0;
    std::uint32_t group = 0;  // the node of the innermost group in which the timer stands
  };

  // Accepts nothing.
  Filter();
  // Takes time and memory in proportion to the number of entries. Several filters that are not in a group are
  // a disjunction. Without entries the filter accepts nothing. A group whose source is 0 has the filters up
  // to the next group, and must not be within another.
  static std::expected<Filter, FilterFault> parse(std::span<const FilterEntry> entries,
                                                  const FilterLimits& limits = {});

  // Whether any part of the filter waits for events of this type and source.
  bool accepts(std::int32_t type, std::int32_t source) const;
  // Whether the tree below a plain node matches.
  bool matches(std::uint32_t node, std::int32_t type, std::int32_t source) const;

  // Whether each event that it accepts is delivered at once and alone.
  bool is_plain() const { return nodes_.front().plain; }
  // Whether it may accept events of any type; if not, only those of types().
  bool accepts_all_types() const { return all_types_; }
  std::span<const std::int32_t> types() const { return types_; }  // sorted
  std::span<const Node> nodes() const { return nodes_; }          // the first is the root, of kind `either`
  std::span<const Timer> timers() const { return timers_; }

 private:
  friend class FilterParser;
  void note_types();
  void note_types_of(std::uint32_t plain_node);

  std::vector<Node> nodes_;
  std::vector<Timer> timers_;
  std::vector<std::int32_t> types_;
  std::vector<std::uint32_t> parts_;  // the largest plain nodes
  bool all_types_ = false;
};

}  // namespace takt::rt_events
