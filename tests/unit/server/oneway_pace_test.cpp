#include "server/channel/oneway_pace.h"

#include <gtest/gtest.h>

#include <chrono>

namespace takt::server {
namespace {

using namespace std::chrono_literals;

class OnewayPaceTest : public testing::Test {
 protected:
  // Serves lone oneways, 10 us apart; the number of those after which the thread yields, each for `yield`.
  unsigned yields(unsigned oneways, std::chrono::nanoseconds yield = 1us) {
    unsigned count = 0;
    for (unsigned i = 0; i < oneways; ++i) {
      now += 10us;
      if (!pace.yields_after_lone(now)) continue;
      ++count;
      pace.note_yielded(now += yield);
    }
    return count;
  }

  OnewayPace pace;
  OnewayPace::Time now{std::chrono::hours(1)};
};

TEST_F(OnewayPaceTest, YieldsOnceInManyFastOneways) {
  EXPECT_EQ(yields(16), 0U);  // the first is not known to be fast
  EXPECT_EQ(yields(1), 1U);
  EXPECT_EQ(yields(160), 10U);
}

TEST_F(OnewayPaceTest, DoesNotYieldToAClientThatTakesItsTime) {
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(pace.yields_after_lone(now += 100us));
}

TEST_F(OnewayPaceTest, CountsAnewAfterOnewaysThatCameTogether) {
  EXPECT_EQ(yields(16), 0U);
  pace.note_together();
  EXPECT_EQ(yields(15), 0U);
  EXPECT_EQ(yields(1), 1U);
}

TEST_F(OnewayPaceTest, StopsYieldingForASecondIfItTookLong) {
  EXPECT_EQ(yields(17, 2ms), 1U);
  EXPECT_EQ(yields(1000), 0U);
  now += 1s;
  EXPECT_EQ(yields(20), 1U);
}

TEST_F(OnewayPaceTest, GoesOnYieldingAfterAMillisecond) {
  EXPECT_EQ(yields(17, 1ms), 1U);
  EXPECT_GE(yields(160), 8U);
}

}  // namespace
}  // namespace takt::server
