// The division of a time limit among attempts.
#include "os/time/time_share.h"

#include <gtest/gtest.h>

namespace takt::os {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint now{100s};

TEST(TimeShare, AttemptsShareTheTimeEvenly) {
  EXPECT_EQ(end_of_share(now + 8s, now, 4), now + 2s);
  EXPECT_EQ(end_of_share(now + 8s, now + 2s, 3), now + 4s);
  EXPECT_EQ(end_of_share(now + 8s, now + 6s, 1), now + 8s) << "the last has the rest";
}

TEST(TimeShare, NoLimitIsNotDivided) { EXPECT_EQ(end_of_share(no_deadline, now, 4), no_deadline); }

TEST(TimeShare, NothingIsLeftOfALimitThatHasPassed) { EXPECT_EQ(end_of_share(now - 1s, now, 4), now); }

}  // namespace
}  // namespace takt::os
