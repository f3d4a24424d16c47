// The tables themselves.
#include <gtest/gtest.h>

#include <vector>

#include "adapter/slot_table.h"

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
  EXPECT_EQ(turnstile.generation(), generation + 1);
  EXPECT_EQ(turnstile.users(), 0u);
  turnstile.open();
  EXPECT_FALSE(turnstile.enter(generation)) << "of the one before";
  EXPECT_FALSE(turnstile.leave());
  EXPECT_TRUE(turnstile.enter(generation + 1));
}

TEST(SlotTable, SlotsStayWhereTheyAre) {
  struct Slot {
    Turnstile turnstile;
    std::uint32_t index = 0;
  };
  SlotTable<Slot> table;
  table.leave_stranger = [](void*, Slot& slot) { slot.turnstile.leave(); };
  std::vector<Slot*> slots;
  for (int i = 0; i < 5000; ++i) slots.push_back(table.take());
  for (std::uint32_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(&table.at(i), slots[i]);
    EXPECT_EQ(slots[i]->index, i);
  }
  EXPECT_EQ(table.enter(5000, 1), nullptr);
  EXPECT_EQ(table.enter(0xffffffff, 1), nullptr);
  EXPECT_EQ(table.enter(17, 1), nullptr) << "not open";
  slots[17]->turnstile.open();
  EXPECT_EQ(table.enter(17, 1), slots[17]);
  table.give_back(*slots[3]);
  EXPECT_EQ(table.take(), slots[3]);
}

}  // namespace takt::adapter
