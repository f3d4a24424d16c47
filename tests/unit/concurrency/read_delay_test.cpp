// When connections are read again whose requests came too fast.
#include "concurrency/strategy/read_delay.h"

#include <gtest/gtest.h>

namespace takt::server {
namespace {

using namespace std::chrono_literals;

struct ReadDelays : testing::Test {
  // How long the connection of one more read with such requests is not read.
  std::chrono::nanoseconds refuse(std::chrono::nanoseconds until_admitted, int requests = 1) {
    for (int i = 0; i < requests; ++i) ReadDelay::ask(now, until_admitted, 16ms, turns);
    return ReadDelay::take() - now;
  }
  ReadDelay::TimePoint now{24h};
  RefusalTurns turns;
};

TEST_F(ReadDelays, LastUntilTheOperationMayComeAgainButNoLongerThanTheOptionSays) {
  EXPECT_EQ(refuse(3ms), 3ms);
  EXPECT_EQ(refuse(1h), 16ms);
  now += 1s;
  EXPECT_EQ(refuse(1h, 100), 16ms);
  now += 1s;
  EXPECT_EQ(refuse(1h, 250), 48ms) << "one more for each further hundred of one read";
  EXPECT_FALSE(ReadDelay::asked());
}

TEST_F(ReadDelays, OfManyConnectionsEndInTurn) {
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(refuse(1us), std::max<std::chrono::nanoseconds>(i * 1ms, 1us));
  EXPECT_EQ(refuse(1h, 11), 1000ms + 1ms + 900us) << "further requests of a read take a tenth of a turn";
  now += 2s;
  EXPECT_EQ(refuse(1us), 1us) << "the others have had their turns";
}

TEST_F(ReadDelays, OfOneOperationAreNotThoseOfAnother) {
  for (int i = 0; i < 1000; ++i) refuse(1h);
  RefusalTurns of_another;
  ReadDelay::ask(now, 3ms, 16ms, of_another);
  EXPECT_EQ(ReadDelay::take() - now, 3ms);
}

TEST_F(ReadDelays, HaveABound) {
  for (int i = 0; i < 16 * 64; ++i) refuse(1h);
  EXPECT_EQ(refuse(1h), 64 * 16ms);
  EXPECT_EQ(refuse(1h), 64 * 16ms);
}

}  // namespace
}  // namespace takt::server
