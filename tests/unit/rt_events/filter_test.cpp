#include "rt_events/model/filter.h"

#include <gtest/gtest.h>

#include "rt_events/model/designators.h"

namespace takt::rt_events {
namespace {

using Entries = std::vector<FilterEntry>;
using Types = std::vector<std::int32_t>;

Filter parsed(const Entries& entries) {
  auto filter = Filter::parse(entries);
  if (!filter) {
    ADD_FAILURE() << filter.error().text;
    return {};
  }
  return *std::move(filter);
}

std::string fault_of(const Entries& entries) {
  const auto filter = Filter::parse(entries);
  return filter ? "" : std::to_string(filter.error().entry) + ": " + filter.error().text;
}

Types types_of(const Filter& filter) { return {filter.types().begin(), filter.types().end()}; }

constexpr FilterEntry millisecond_timer{interval, 0, 10'000};

TEST(Filter, MatchesTypeAndSource) {
  const Filter filter = parsed({{20, 3}});
  EXPECT_TRUE(filter.accepts(20, 3));
  EXPECT_FALSE(filter.accepts(20, 4));
  EXPECT_FALSE(filter.accepts(21, 3));
  EXPECT_TRUE(parsed({{20, any_source}}).accepts(20, 9));
  EXPECT_TRUE(parsed({{any_type, 3}}).accepts(77, 3));
  EXPECT_FALSE(parsed({{any_type, 3}}).accepts(77, 4));
  EXPECT_TRUE(parsed({{-5, 0}}).accepts(-5, 1));
}

TEST(Filter, WithoutEntriesAcceptsNothing) {
  EXPECT_FALSE(parsed({}).accepts(20, 3));
  EXPECT_FALSE(Filter().accepts(20, 3));
  EXPECT_TRUE(parsed({}).types().empty());
  EXPECT_FALSE(parsed({{ungrouped}}).accepts(0, 0));
}

TEST(Filter, WithSeveralEntriesIsADisjunction) {
  for (const Entries& entries :
       {Entries{{20, 3}, {21, 0}}, Entries{{disjunction, 2}, {20, 3}, {21, 0}},
        Entries{{ungrouped}, {20, 3}, {21, 0}}, Entries{{disjunction, 0}, {20, 3}, {21, 0}},
        Entries{{disjunction, 0}, {20, 3}, {ungrouped}, {21, 0}}}) {
    const Filter filter = parsed(entries);
    EXPECT_TRUE(filter.accepts(20, 3));
    EXPECT_TRUE(filter.accepts(21, 7));
    EXPECT_FALSE(filter.accepts(20, 4));
    EXPECT_TRUE(filter.is_plain());
    EXPECT_EQ(types_of(filter), (Types{20, 21}));
  }
}

TEST(Filter, RequiresAllFiltersOfALogicalAnd) {
  const Filter filter = parsed({{logical_and, 2}, {20, 0}, {negation}, {0, 3}});
  EXPECT_TRUE(filter.accepts(20, 4));
  EXPECT_FALSE(filter.accepts(20, 3));
  EXPECT_FALSE(filter.accepts(21, 4));
  EXPECT_FALSE(filter.accepts_all_types());
}

TEST(Filter, InvertsTheNextFilter) {
  const Filter filter = parsed({{negation}, {disjunction, 2}, {20, 0}, {21, 0}, {20, 3}});
  EXPECT_FALSE(filter.accepts(21, 3));
  EXPECT_TRUE(filter.accepts(22, 3));
  EXPECT_TRUE(filter.accepts(20, 3));
  EXPECT_TRUE(filter.accepts_all_types());
  EXPECT_TRUE(parsed({{negation}, {negation}, {20, 0}}).accepts(20, 1));
}

TEST(Filter, RequiresACommonBitWithBothMasks) {
  const Filter filter = parsed({{bitmask}, {0x30, 0x6}, {null_filter}});
  EXPECT_TRUE(filter.accepts(0x10, 0x2));
  EXPECT_FALSE(filter.accepts(0x10, 0x1));
  EXPECT_FALSE(filter.accepts(0x40, 0x2));
  const Filter inner = parsed({{bitmask}, {0x30, 0x6}, {0x11, 0}});
  EXPECT_TRUE(inner.accepts(0x11, 0x2));
  EXPECT_FALSE(inner.accepts(0x10, 0x2));
  EXPECT_EQ(types_of(inner), Types{0x11});
}

TEST(Filter, ComparesWhatTheMasksLeave) {
  const Filter filter = parsed({{masked_type}, {0xf0, 0xf}, {0x20, 0x3}});
  EXPECT_TRUE(filter.accepts(0x2a, 0x13));
  EXPECT_FALSE(filter.accepts(0x3a, 0x13));
  EXPECT_FALSE(filter.accepts(0x2a, 0x14));
}

TEST(Filter, KnowsWhatCollectsEvents) {
  const Filter filter = parsed({{conjunction, 2}, {20, 0}, {disjunction, 2}, {21, 0}, {22, 0}});
  EXPECT_FALSE(filter.is_plain());
  EXPECT_TRUE(filter.accepts(22, 0));
  EXPECT_FALSE(filter.accepts(23, 0));
  EXPECT_EQ(types_of(filter), (Types{20, 21, 22}));
}

TEST(Filter, ListsTimersWithTheirGroups) {
  const Filter filter =
      parsed({{disjunction, 2}, {20, 0}, {deadline, 0, 1'000'000}, {once, 0, 20'000}, {interval, 0, 30'000}});
  ASSERT_EQ(filter.timers().size(), 3u);
  EXPECT_EQ(filter.timers()[0].type, deadline);
  EXPECT_EQ(filter.timers()[0].period, std::chrono::milliseconds(100));
  EXPECT_EQ(filter.timers()[0].group, 1u);
  EXPECT_EQ(filter.timers()[1].group, 0u);
  EXPECT_EQ(filter.timers()[2].period, std::chrono::milliseconds(3));
  EXPECT_FALSE(filter.accepts(interval, 0));  // suppliers cannot forge the events of timers
}

TEST(Filter, NamesTheEntryAtFault) {
  EXPECT_EQ(fault_of({{conjunction, 2}, {20, 0}}), "2: the subscription ends where a filter must follow");
  EXPECT_EQ(fault_of({{20, 0}, {negation}}), "2: the subscription ends where a filter must follow");
  EXPECT_EQ(fault_of({{bitmask}}),
            "1: the subscription ends where the masks of designator 12 (bitmask) must follow");
  EXPECT_EQ(fault_of({{bitmask}, {1, 1}}), "2: the subscription ends where a filter must follow");
  EXPECT_EQ(fault_of({{masked_type}, {1, 1}}),
            "2: the subscription ends where the values of designator 13 (masked type) must follow");
  EXPECT_EQ(fault_of({{conjunction, -1}, {20, 0}}), "0: a group has -1 filters");
  EXPECT_EQ(fault_of({{conjunction, 0}}), "0: a group has no filters");
  EXPECT_EQ(fault_of({{conjunction, 0}, {disjunction, 1}, {20, 0}}), "0: a group has no filters");
  EXPECT_EQ(fault_of({{conjunction, 1}, {disjunction, 0}, {20, 0}}),
            "1: a group within another needs the number of its filters");
  EXPECT_EQ(fault_of({{conjunction, 2}, {20, 0}, {ungrouped}}),
            "2: designator 7 (global) stands within a group");
  EXPECT_EQ(fault_of({{negation}, {conjunction, 1}, {20, 0}}),
            "1: a conjunction cannot stand within a negation");
  EXPECT_EQ(fault_of({{logical_and, 1}, {disjunction, 1}, {conjunction, 1}, {20, 0}}),
            "2: a conjunction cannot stand within a logical and");
  EXPECT_EQ(fault_of({{bitmask}, {1, 1}, millisecond_timer}), "2: a timer cannot stand within a bitmask");
  EXPECT_EQ(fault_of({{20, 0}, {once, 0, 0}}), "1: a timer of 0 x 100 ns is too short");
  EXPECT_EQ(fault_of({{interval, 0, 9'999}}), "0: a timer of 9999 x 100 ns is too short");
  EXPECT_EQ(fault_of({{once, 0, UINT64_MAX}}), "0: a timer of 18446744073709551615 x 100 ns is too long");
}

TEST(Filter, IsBounded) {
  EXPECT_EQ(fault_of(Entries(256, {20, 0})), "");
  EXPECT_EQ(fault_of(Entries(257, {20, 0})), "256: the subscription has 257 entries; 256 are permitted");
  EXPECT_EQ(fault_of({{conjunction, INT32_MAX}, {20, 0}}),
            "2: the subscription ends where a filter must follow");
  Entries deep(16, {negation});
  deep.push_back({20, 0});
  EXPECT_EQ(fault_of(deep), "");
  deep.insert(deep.begin(), {negation});
  EXPECT_EQ(fault_of(deep), "17: filters are nested more than 16 deep");
  EXPECT_EQ(fault_of(Entries(16, millisecond_timer)), "");
  EXPECT_EQ(fault_of(Entries(17, millisecond_timer)), "16: the subscription has more than 16 timers");
}

}  // namespace
}  // namespace takt::rt_events
