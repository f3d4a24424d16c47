#include "giop/request_table.h"

#include <set>

#include <gtest/gtest.h>

namespace takt::giop {
namespace {

TEST(RequestTable, FindsTheWaiterOfAReply) {
  RequestTable<int> table(Limits{});
  ASSERT_TRUE(table.add(2, 20));
  ASSERT_TRUE(table.add(4, 40));
  bool known = false;
  int* waiter = table.take(4, known);
  ASSERT_TRUE(known && waiter);
  EXPECT_EQ(*waiter, 40);
  EXPECT_EQ(table.take(4, known), nullptr);
  EXPECT_FALSE(known);
  EXPECT_EQ(table.size(), 1u);
}

TEST(RequestTable, AnAbandonedIdIsNotUsedAgainBeforeItsReply) {
  RequestTable<int> table(Limits{});
  ASSERT_TRUE(table.add(2, 20));
  table.abandon(2);
  EXPECT_TRUE(table.in_use(2));
  EXPECT_EQ(table.add(2, 21).error(), RequestTable<int>::AddError::in_use);
  bool known = false;
  EXPECT_EQ(table.take(2, known), nullptr);
  EXPECT_TRUE(known);
  EXPECT_TRUE(table.add(2, 21));
}

TEST(RequestTable, IsBounded) {
  Limits limits;
  limits.outstanding_requests = 2;
  RequestTable<int> table(limits);
  EXPECT_TRUE(table.add(2, 0));
  EXPECT_TRUE(table.add(4, 0));
  EXPECT_EQ(table.add(6, 0).error(), RequestTable<int>::AddError::too_many);
}

TEST(RequestTable, DrainsThoseWhoStillWait) {
  RequestTable<int> table(Limits{});
  for (const int id : {2, 4, 6}) ASSERT_TRUE(table.add(static_cast<std::uint32_t>(id), id * 10));
  table.abandon(4);
  std::set<int> drained;
  table.drain([&](std::uint32_t, int waiter) { drained.insert(waiter); });
  EXPECT_EQ(drained, (std::set<int>{20, 60}));
  EXPECT_EQ(table.size(), 0u);
}

}  // namespace
}  // namespace takt::giop
