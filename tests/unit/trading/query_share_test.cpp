// The part of the memory of all queries that one query takes.
#include "trading/query/query_share.h"

#include <gtest/gtest.h>

namespace takt::trading {
namespace {

TEST(QueryShare, IsNoMoreThanItLeavesFree) {
  MemoryBudget all(1'200);
  {
    QueryShare first(all);
    EXPECT_FALSE(first.take(601));
    EXPECT_TRUE(first.take(400));
    EXPECT_TRUE(first.take(200));
    EXPECT_FALSE(first.take(1));
    QueryShare second(all), small(all);
    EXPECT_TRUE(second.take(300));
    EXPECT_FALSE(second.take(1));
    EXPECT_TRUE(small.take(10)) << "large queries leave room for others";
    EXPECT_FALSE(first.take(1'000'000));
  }
  EXPECT_EQ(all.taken_bytes(), 0u) << "each has given back what it took";
}

}  // namespace
}  // namespace takt::trading
