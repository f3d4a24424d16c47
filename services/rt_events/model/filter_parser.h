// Reads subscriptions.
#pragma once

#include <optional>

#include "rt_events/model/filter.h"

namespace takt::rt_events {

// Parses one subscription. One thread.
class FilterParser {
 public:
  FilterParser(std::span<const FilterEntry> entries, const FilterLimits& limits)
      : entries_(entries), limits_(limits) {}
  std::expected<Filter, FilterFault> parse();

 private:
  using Kind = Filter::Kind;
  using Node = Filter::Node;
  // The place of a filter in the tree.
  struct Place {
    std::size_t depth = 0;
    std::uint32_t group = 0;       // the node of the innermost group
    const char* within = nullptr;  // not null: the filter must be plain, because it is within this one
  };

  // Each appends the nodes of one filter. False: there is a fault.
  bool read(const Place& place);
  bool read_group(Kind kind, const FilterEntry& entry, const Place& place);
  bool read_members(const FilterEntry& entry, const Place& inside);
  bool read_timer(const FilterEntry& entry, const Place& place);
  bool read_bits(const Place& place);
  bool read_masked();
  bool read_inversion(const Place& place);

  std::uint32_t open(Kind kind);
  bool close(std::uint32_t node);
  const FilterEntry* next(const char* wanted);
  bool refuse(std::size_t entry, std::string text);

  const std::span<const FilterEntry> entries_;
  const FilterLimits& limits_;
  std::size_t at_ = 0;
  Filter filter_;
  std::optional<FilterFault> fault_;
};

}  // namespace takt::rt_events
