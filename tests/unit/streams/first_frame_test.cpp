// When the first frames of flows are due that start together.
#include "streams/flow/first_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace std::chrono_literals;
using namespace takt::streams;

namespace {

TEST(FirstFrames, OfFlowsThatStartTogetherAreSpread) {
  for (const std::uint64_t flows : {2u, 8u, 64u}) {
    std::vector<std::chrono::nanoseconds> delays;
    for (std::uint64_t i = 0; i < flows; ++i) delays.push_back(first_delay(i, 25));
    std::ranges::sort(delays);
    EXPECT_EQ(delays.front(), 0ns);
    EXPECT_LT(delays.back(), longest_first_delay);
    for (std::size_t i = 1; i < delays.size(); ++i)
      EXPECT_GT(delays[i] - delays[i - 1], longest_first_delay / (3 * flows)) << flows << " flows";
  }
}

TEST(FirstFrames, ComeWithinTheirPeriod) {
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_LT(first_delay(i, 1'000), 1ms);
    EXPECT_LE(first_delay(i, 0.001), longest_first_delay);
    EXPECT_EQ(first_delay(i, 0), 0ns) << "the source says when";
  }
}

}  // namespace
