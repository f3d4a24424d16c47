#include "logs/rate_limit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace takt::logs {

TEST(RateLimit, AdmitsSoManyLinesOfAnEventInASecondAndCountsTheOthers) {
  RateLimit limit;
  const unsigned most = info_of(LogEvent::connection_accepted).per_second;
  for (unsigned i = 0; i < most; ++i) EXPECT_TRUE(limit.admits(LogEvent::connection_accepted, 7));
  EXPECT_FALSE(limit.has_left_out());
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(limit.admits(LogEvent::connection_accepted, 7));
  EXPECT_TRUE(limit.admits(LogEvent::connection_closed, 7)) << "each event has its own limit";
  EXPECT_TRUE(limit.has_left_out());
  EXPECT_EQ(limit.take_left_out(LogEvent::connection_closed), 0u);
  EXPECT_TRUE(limit.has_left_out());
  EXPECT_EQ(limit.take_left_out(LogEvent::connection_accepted), 3u);
  EXPECT_EQ(limit.take_left_out(LogEvent::connection_accepted), 0u);
  EXPECT_FALSE(limit.has_left_out());
}

TEST(RateLimit, BeginsAnewWithEachSecond) {
  RateLimit limit;
  while (limit.admits(LogEvent::warning, 1)) {
  }
  EXPECT_TRUE(limit.admits(LogEvent::warning, 2));
  for (unsigned i = 1; i < info_of(LogEvent::warning).per_second; ++i)
    EXPECT_TRUE(limit.admits(LogEvent::warning, 2));
  EXPECT_FALSE(limit.admits(LogEvent::warning, 2));
}

TEST(RateLimit, LosesNoLineThatSeveralThreadsLog) {
  constexpr int threads = 4, each = 1000;
  RateLimit limit;
  std::atomic<unsigned> admitted{0};
  {
    std::vector<std::jthread> all;
    for (int t = 0; t < threads; ++t)
      all.emplace_back([&] {
        for (int i = 0; i < each; ++i) admitted += limit.admits(LogEvent::overrun, 5) ? 1 : 0;
      });
  }
  EXPECT_EQ(admitted, info_of(LogEvent::overrun).per_second);
  EXPECT_EQ(limit.take_left_out(LogEvent::overrun), threads * each - admitted);
}

}  // namespace takt::logs
