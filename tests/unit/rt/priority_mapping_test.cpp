// CORBA priorities that are mapped to the same native priority.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "rt/priority_mappings.h"

namespace takt::rt {
namespace {

constexpr os::NativePriorities fifo{.lowest = 1, .highest = 99};

std::vector<PriorityUse> uses_of(std::initializer_list<RTCORBA::Priority> priorities) {
  std::vector<PriorityUse> uses;
  for (const auto priority : priorities) uses.push_back({priority, "lane"});
  return uses;
}

TEST(SharedNative, LinearLeadsNeighboursToOneNativePriority) {
  const auto linear = make_priority_mapping(PriorityMapping::linear, fifo);
  const auto shared = shared_native(uses_of({40, 39}), *linear);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->lower.priority, 39);
  EXPECT_EQ(shared->higher.priority, 40);
  EXPECT_EQ(shared->native, 1);
  EXPECT_EQ(text_of(*shared, "linear"),
            "priorities 39 (lane) and 40 (lane) are both native priority 1 by the priority mapping linear");
  EXPECT_FALSE(shared_native(uses_of({0, 1000, 32767}), *linear));
}

TEST(SharedNative, OnePriorityOfSeveralUsersIsNotShared) {
  EXPECT_FALSE(shared_native(uses_of({40, 40, 40}), *make_priority_mapping(PriorityMapping::linear, fifo)));
}

TEST(SharedNative, DirectAndContinuousKeepAllApartAndPassOverWhatTheyLack) {
  for (const auto choice : {PriorityMapping::direct, PriorityMapping::continuous})
    EXPECT_FALSE(shared_native(uses_of({39, 40, 98, 20000, 20001}), *make_priority_mapping(choice, fifo)));
}

TEST(SharedNative, IsFoundExactlyWhereTwoDiffer) {
  const auto linear = make_priority_mapping(PriorityMapping::linear, fifo);
  std::minstd_rand random(7);
  int found = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<PriorityUse> uses;
    for (int i = 0; i < 8; ++i) uses.push_back({static_cast<RTCORBA::Priority>(random() % 32768), "lane"});
    bool expected = false;
    for (const auto& one : uses)
      for (const auto& other : uses) {
        RTCORBA::NativePriority first = 0, second = 0;
        ASSERT_TRUE(linear->to_native(one.priority, first) && linear->to_native(other.priority, second));
        expected |= one.priority != other.priority && first == second;
      }
    EXPECT_EQ(shared_native(uses, *linear).has_value(), expected);
    found += expected;
  }
  EXPECT_GT(found, 100);
  EXPECT_LT(found, 1900);
}

TEST(ChosenMapping, AutomaticIsLinearAndHasAnotherForSchedules) {
  const ChosenMapping chosen = choose_mapping(PriorityMapping::automatic, fifo);
  RTCORBA::NativePriority native = 0;
  ASSERT_TRUE(chosen.mapping->to_native(40, native));
  EXPECT_EQ(native, 1);
  ASSERT_TRUE(chosen.for_schedules);
  ASSERT_TRUE(chosen.for_schedules->to_native(40, native));
  EXPECT_EQ(native, 40);
  EXPECT_FALSE(choose_mapping(PriorityMapping::linear, fifo).for_schedules);
}

}  // namespace
}  // namespace takt::rt
