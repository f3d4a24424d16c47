// How the benches count inversions, and the priorities and endpoints shared by their programs.
#include <gtest/gtest.h>

#include "common/inversion.h"
#include "common/levels.h"

namespace bench {
namespace {

TimedCall call(int due, int begun, int ended) {
  const auto at = [](int moment) { return Clock::time_point(std::chrono::microseconds(moment)); };
  return {at(due), at(begun), at(ended)};
}

TEST(Inversions, NoneWhereALessUrgentCallEndsLater) {
  const auto found = inversions({call(10, 10, 20)}, {call(10, 10, 30), call(5, 5, 25), call(12, 12, 21)});
  EXPECT_EQ(found.overtaken, 0u);
  EXPECT_EQ(found.blocked, 0u);
}

TEST(Inversions, NoneByACallThatEndedBefore) {
  const auto found = inversions({call(10, 10, 20)}, {call(1, 1, 9), call(2, 2, 10)});
  EXPECT_EQ(found.overtaken + found.blocked, 0u);
}

TEST(Inversions, OvertakenByACallThatBeganLaterAndEndedBefore) {
  const auto found = inversions({call(10, 10, 20), call(40, 40, 50)}, {call(10, 10, 15), call(11, 12, 18)});
  EXPECT_EQ(found.overtaken, 1u) << "a call counts once, however many overtook it";
  EXPECT_EQ(found.blocked, 0u);
}

TEST(Inversions, BlockedByACallUnderWayUntilItsEnd) {
  const auto found = inversions({call(10, 10, 20)}, {call(4, 4, 13), call(5, 6, 17)});
  EXPECT_EQ(found.overtaken, 0u);
  EXPECT_EQ(found.blocked, 1u);
  EXPECT_EQ(found.longest, std::chrono::microseconds(7));
}

TEST(Levels, AreFromTheMostUrgentOnDown) {
  EXPECT_EQ(levels_of(Options()), (std::vector{40, 10}));
  Options options;
  options.set("levels", "rates");
  EXPECT_EQ(levels_of(options), (std::vector{40, 30, 20, 10}));
  options.set("levels", "distinct");
  const auto distinct = levels_of(options);
  ASSERT_EQ(distinct.size(), 51u);
  EXPECT_EQ(distinct.front(), 60);
  EXPECT_EQ(distinct.back(), 10);
  EXPECT_TRUE(std::is_sorted(distinct.rbegin(), distinct.rend()));
  options.set("levels", "none");
  EXPECT_THROW(levels_of(options), std::runtime_error);
}

TEST(Levels, EachHasItsEndpointAndOneMayStandForAll) {
  const std::string several = joined({"a", "bc", "d"});
  EXPECT_EQ(several, "a|bc|d");
  EXPECT_EQ(endpoint_at(several, 0), "a");
  EXPECT_EQ(endpoint_at(several, 1), "bc");
  EXPECT_EQ(endpoint_at(several, 2), "d");
  EXPECT_EQ(endpoint_at(several, 3), "");
  EXPECT_EQ(endpoint_at("one", 3), "one");
}

}  // namespace
}  // namespace bench
