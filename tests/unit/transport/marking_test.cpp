// The marking for a priority, and its effect on a stream's options.
#include <takt/transport/marking.h>
#include <takt/transport/stream_options.h>

#include <optional>

#include <gtest/gtest.h>

namespace takt::transport {
namespace {

const MarkingByPriority two_steps = [] {
  MarkingByPriority steps;
  steps.give(40, {-1, 5});
  steps.give(10, {8, -1});
  steps.give(40, {46, -1});
  return steps;
}();

TEST(MarkingByPriority, EqualsOneWithTheSameSteps) {
  MarkingByPriority other = two_steps;
  EXPECT_EQ(other, two_steps);
  other.give(40, {47, -1});
  EXPECT_NE(other, two_steps);
}

TEST(MarkingByPriority, HoldsUpToTheNextThatIsGiven) {
  EXPECT_EQ(two_steps.at(9), Marking());
  EXPECT_EQ(two_steps.at(10), (Marking{8, -1}));
  EXPECT_EQ(two_steps.at(39), (Marking{8, -1}));
  EXPECT_EQ(two_steps.at(40), (Marking{46, 5}));
  EXPECT_EQ(two_steps.at(32767), (Marking{46, 5}));
  EXPECT_EQ(two_steps.steps.size(), 2u);
}

TEST(MarkingByPriority, CoversWhatIsNotBelowItsLowest) {
  EXPECT_FALSE(two_steps.covers(9));
  EXPECT_TRUE(two_steps.covers(10));
  EXPECT_EQ(two_steps.lowest(), 10);
  EXPECT_EQ(two_steps.highest_priority(), 5);
  const MarkingByPriority nothing;
  EXPECT_FALSE(nothing.covers(32767));
  EXPECT_EQ(nothing.highest_priority(), -1);
}

// By the socket priority, pfifo_fast sends interactive before best-effort before bulk packets, whatever type
// of service (the former meaning) Linux reads in a code point.
TEST(SocketPriority, GoesWithTheClassOfTheCodePoint) {
  EXPECT_EQ(socket_priority_for(0), 0);
  for (const int bulk : {1, 8, 10, 12, 14}) EXPECT_EQ(socket_priority_for(bulk), 2) << bulk;
  for (const int timely : {18, 20, 22, 26, 28, 30}) EXPECT_EQ(socket_priority_for(timely), 4) << timely;
  for (const int urgent : {34, 36, 38, 40, 46, 48, 63}) EXPECT_EQ(socket_priority_for(urgent), 6) << urgent;
}

TEST(Marked, BringsTheSocketPriorityOfItsCodePointUnlessThereIsOne) {
  StreamOptions options;
  EXPECT_EQ(marked(options, {}, MarkedBy::lane), options);
  const StreamOptions urgent = marked(options, {46, -1}, MarkedBy::lane);
  EXPECT_EQ(urgent.dscp, 46);
  EXPECT_EQ(urgent.priority, 6);
  EXPECT_EQ(urgent.marked_by, MarkedBy::lane);
  options.priority = 3;
  EXPECT_EQ(marked(options, {46, -1}, MarkedBy::lane).priority, 3);
  EXPECT_EQ(marked(options, {46, 1}, MarkedBy::lane).priority, 1);
  options.dscp = 8;
  EXPECT_EQ(marked(options, {-1, 1}, MarkedBy::lane).dscp, 8);
}

TEST(StreamOverrides, WhatIsByPriorityGoesBeforeWhatIsNot) {
  StreamOverrides overrides;
  overrides.dscp = 10;
  overrides.by_priority = two_steps;
  EXPECT_EQ(overrides.over({}, 9).dscp, 10);
  EXPECT_EQ(overrides.over({}, std::nullopt).dscp, 10);
  const StreamOptions urgent = overrides.over({}, 40);
  EXPECT_EQ(urgent.dscp, 46);
  EXPECT_EQ(urgent.priority, 5);
  EXPECT_EQ(urgent.marked_by, MarkedBy::policy);
  overrides.dscp.reset();
  EXPECT_FALSE(overrides.says_dscp(9));
  EXPECT_FALSE(overrides.says_dscp(std::nullopt));
  EXPECT_TRUE(overrides.says_dscp(10));
}

}  // namespace
}  // namespace takt::transport
