// The slot tables themselves.
#include <gtest/gtest.h>

#include <vector>

#include "adapter/poa/object_table.h"

namespace takt::adapter {

TEST(Turnstile, ClosesForTheLastOne) {
  Turnstile turnstile;
  const auto generation = turnstile.generation();
  EXPECT_FALSE(turnstile.enter(generation)) << "not open";
  EXPECT_FALSE(turnstile.leave());
  turnstile.open();
  EXPECT_TRUE(turnstile.enter(generation));
  EXPECT_TRUE(turnstile.close(generation));
  EXPECT_FALSE(turnstile.close(generation)) << "twice";
  EXPECT_FALSE(turnstile.enter(generation)) << "closing";
  EXPECT_FALSE(turnstile.leave());
  EXPECT_FALSE(turnstile.leave()) << "the one who closed";
  EXPECT_TRUE(turnstile.leave()) << "the last one";
  const auto next = turnstile.generation();
  EXPECT_NE(next, generation);
  EXPECT_EQ(turnstile.users(), 0u);
  turnstile.open();
  EXPECT_FALSE(turnstile.enter(generation)) << "of the one before";
  EXPECT_FALSE(turnstile.leave());
  EXPECT_TRUE(turnstile.enter(next));
}

TEST(SlotTable, SlotsStayWhereTheyAre) {
  struct Slot {
    Turnstile turnstile;
    std::uint32_t index = 0;
  };
  SlotTable<Slot> table;
  table.leave_mismatched = [](void*, Slot& slot) { slot.turnstile.leave(); };
  std::vector<Slot*> slots;
  for (int i = 0; i < 70'000; ++i) slots.push_back(table.take());
  for (std::uint32_t i = 0; i < 70'000; ++i) {
    EXPECT_EQ(&table.at(i), slots[i]);
    EXPECT_EQ(slots[i]->index, i);
  }
  const auto first = slots[17]->turnstile.generation();
  EXPECT_EQ(table.enter(70'000, first), nullptr);
  EXPECT_EQ(table.enter(0xffffffff, first), nullptr);
  EXPECT_EQ(table.enter(17, first), nullptr) << "not open";
  EXPECT_EQ(table.enter(17, first - 1), nullptr) << "what it is while it is closed";
  EXPECT_EQ(table.enter_any(17), nullptr) << "not open";
  slots[17]->turnstile.open();
  EXPECT_EQ(table.enter(17, first), slots[17]);
  EXPECT_EQ(table.enter_any(17), slots[17]);
  EXPECT_EQ(table.enter(17, first + 2), nullptr) << "the one to come";
  table.give_back(*slots[3]);
  EXPECT_EQ(table.take(), slots[3]);
}

}  // namespace takt::adapter
