// Which requests miss their deadlines under overload: a queue with one thread, in virtual time.
#include <gtest/gtest.h>

#include "overloaded_queue.h"

namespace takt::server {
namespace overload_test {

OverloadedQueue::Seen seen_with(QueueOrder order) {
  return OverloadedQueue(order, 1.3).run(std::chrono::seconds(100));
}

TEST(Overload, UrgencyKeepsWhatIsCriticalAtOnePointThreeTimesTheTime) {
  const auto seen = seen_with(QueueOrder::urgency);
  EXPECT_EQ(seen.critical_misses, 0);
  EXPECT_EQ(seen.critical_jobs, 2500);
  EXPECT_GT(seen.other_misses, 1000);
}

TEST(Overload, EveryOtherOrderLosesMostOfIt) {
  for (const auto order :
       {QueueOrder::temporal, QueueOrder::deadline, QueueOrder::fixed, QueueOrder::laxity}) {
    SCOPED_TRACE(static_cast<int>(order));
    EXPECT_GT(seen_with(order).critical_misses, 1250) << "of 2500";
  }
}

}  // namespace overload_test
}  // namespace takt::server
