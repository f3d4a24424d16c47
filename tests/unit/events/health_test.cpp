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

// The next calls wait among those of slow clients.
TEST(Health, IsSlowAfterALateAnswerOrAQuestion) {
  const Limits limits;
  Health health(limits, noon);
  health.note(Answer::done, noon, 2 * limits.slow_after, limits.give_up_after);
  EXPECT_EQ(health.standing(), Standing::slow);
  health.note(Answer::done, noon, limits.slow_after, limits.give_up_after);
  EXPECT_EQ(health.standing(), Standing::proven);
  health.note_question(true, noon);
  EXPECT_EQ(health.standing(), Standing::slow);
  health.note_question(false, noon);
  EXPECT_EQ(health.standing(), Standing::suspect);
}

}  // namespace
}  // namespace takt::events
