// Percentiles of durations.
#include "base/time_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

namespace takt {
namespace {

using Time = TimeHistogram::Time;

TEST(TimeHistogram, IsEmptyAtFirst) {
  const TimeHistogram histogram;
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_EQ(histogram.shortest(), Time(0));
  EXPECT_EQ(histogram.longest(), Time(0));
  EXPECT_EQ(histogram.at(0), Time(0));
}

TEST(TimeHistogram, RanksAreNeverTooLowAndAtMostA64thTooHigh) {
  std::mt19937_64 random(7);
  TimeHistogram histogram;
  std::vector<std::int64_t> all;
  for (int i = 0; i < 20'000; ++i) {
    all.push_back(static_cast<std::int64_t>(random() >> (1 + random() % 62)));
    histogram.add(Time(all.back()));
  }
  std::ranges::sort(all);
  EXPECT_EQ(histogram.count(), std::ssize(all));
  EXPECT_EQ(histogram.shortest().count(), all.front());
  EXPECT_EQ(histogram.longest().count(), all.back());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::int64_t found = histogram.at(static_cast<std::int64_t>(rank)).count();
    ASSERT_GE(found, all[rank]) << rank;
    ASSERT_LE(found - all[rank], all[rank] / 64) << rank;
  }
}

TEST(TimeHistogram, NegativeAndGreatestDurationsHaveAPlace) {
  TimeHistogram histogram;
  histogram.add(Time(-5));
  histogram.add(Time::max());
  EXPECT_EQ(histogram.at(0), Time(0));
  EXPECT_EQ(histogram.at(1), Time::max());
  EXPECT_EQ(histogram.at(99), Time::max());
  EXPECT_EQ(histogram.shortest(), Time(0));
}

TEST(TimeHistogram, ThreadsAddToOne) {
  TimeHistogram histogram;
  constexpr int times = 10'000;
  const auto add = [&] {
    for (int i = 1; i <= times; ++i) histogram.add(Time(i));
  };
  std::thread other(add);
  add();
  other.join();
  EXPECT_EQ(histogram.count(), 2 * times);
  EXPECT_EQ(histogram.shortest(), Time(1));
  EXPECT_EQ(histogram.longest(), Time(times));
}

}  // namespace
}  // namespace takt
