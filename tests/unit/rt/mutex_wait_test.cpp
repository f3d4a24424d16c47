#include "rt/mutex_wait.h"

#include <gtest/gtest.h>

namespace takt::rt {
namespace {

using namespace std::chrono_literals;

TEST(MutexWait, LastsAsLongAsAsked) {
  constexpr std::uint64_t second = 10'000'000;
  EXPECT_EQ(time_of(0), 0ns);
  EXPECT_EQ(time_of(1), 100ns);
  EXPECT_EQ(time_of(7200 * second), 2h);
  EXPECT_EQ(time_of(365 * 24 * 3600 * second), 365 * 24h);
}

TEST(MutexWait, TheLongestTimeCanBeAddedToThePresent) {
  const auto most = time_of(~std::uint64_t{0});
  EXPECT_GE(most, 24h * 3650);
  EXPECT_GT(std::chrono::steady_clock::now() + 2 * most, std::chrono::steady_clock::now());
}

}  // namespace
}  // namespace takt::rt
