#include "events/delivery/health.h"

#include <gtest/gtest.h>

namespace takt::events {
namespace {

constexpr Clock::time_point noon{std::chrono::hours(12)};

TEST(Health, IsProvenByAnAnswerOfThisClient) {
  const Limits limits;
  Health health(limits, noon);
  EXPECT_EQ(health.standing(), Standing::unproven);
  health.note(Answer::exception, noon);
  EXPECT_EQ(health.standing(), Standing::proven);
  health.note(Answer::lost, noon);
  EXPECT_EQ(health.standing(), Standing::suspect);
  health.note(Answer::done, noon);
  EXPECT_EQ(health.standing(), Standing::proven);
  health.begin(noon);
  EXPECT_EQ(health.standing(), Standing::unproven);
}

}  // namespace
}  // namespace takt::events
