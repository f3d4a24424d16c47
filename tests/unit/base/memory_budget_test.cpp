// Memory budgets and their users.
#include <utility>

#include <gtest/gtest.h>

#include <takt/base/memory_charge.h>

namespace takt {
namespace {

constexpr std::size_t KiB = 1024;

TEST(MemoryBudget, TakesUpToItsLimitAndThatOfTheWiderOne) {
  MemoryBudget server(100 * KiB);
  MemoryBudget first(80 * KiB, &server), second(80 * KiB, &server);
  EXPECT_TRUE(first.take(60 * KiB));
  EXPECT_FALSE(first.take(21 * KiB)) << "its own";
  EXPECT_FALSE(second.take(41 * KiB)) << "the server's";
  EXPECT_TRUE(second.take(40 * KiB));
  EXPECT_EQ(server.taken_bytes(), 100 * KiB);
  first.give_back(60 * KiB);
  second.give_back(40 * KiB);
  const MemoryUse use = server.use();
  EXPECT_EQ(use.taken_bytes, 0u);
  EXPECT_EQ(use.peak_bytes, 100 * KiB);
  EXPECT_EQ(use.limit_bytes, 100 * KiB);
  EXPECT_EQ(use.refusals, 2u) << "the connections' are the server's too";
  EXPECT_EQ(first.refusals(), 1u);
  EXPECT_EQ(second.refusals(), 1u);
}

TEST(MemoryBudget, KnowsWhatCouldNeverFit) {
  MemoryBudget server(100 * KiB);
  MemoryBudget connection(200 * KiB, &server);
  EXPECT_TRUE(connection.take(90 * KiB));
  EXPECT_TRUE(connection.could_take(100 * KiB));
  EXPECT_FALSE(connection.could_take(101 * KiB));
  connection.give_back(90 * KiB);
}

TEST(MemoryBudget, AnotherLimitHoldsForWhatIsTakenNext) {
  MemoryBudget budget(100 * KiB);
  EXPECT_TRUE(budget.take(90 * KiB));
  budget.set_limit(50 * KiB);
  EXPECT_FALSE(budget.take(1));
  budget.give_back(60 * KiB);
  EXPECT_TRUE(budget.take(20 * KiB));
  budget.give_back(50 * KiB);
}

TEST(MemoryCharge, CountsWhatIsLongAlone) {
  MemoryBudget budget(200 * KiB);
  MemoryCharge charge(&budget);
  EXPECT_TRUE(charge.resize(MemoryBudget::uncounted_bytes));
  EXPECT_EQ(budget.taken_bytes(), 0u);
  EXPECT_TRUE(charge.resize(100 * KiB));
  EXPECT_EQ(budget.taken_bytes(), 100 * KiB);
  EXPECT_FALSE(charge.resize(300 * KiB));
  EXPECT_EQ(budget.taken_bytes(), 100 * KiB) << "as before";
  EXPECT_TRUE(charge.resize(80 * KiB));
  EXPECT_EQ(budget.taken_bytes(), 80 * KiB);
  EXPECT_TRUE(charge.resize(1 * KiB));
  EXPECT_EQ(budget.taken_bytes(), 0u);
}

TEST(MemoryCharge, GoesWhereItIsMovedAndEndsOnce) {
  MemoryBudget budget;
  {
    MemoryCharge first(&budget), second(&budget);
    EXPECT_TRUE(first.resize(100 * KiB));
    EXPECT_TRUE(second.resize(200 * KiB));
    second = std::move(first);
    EXPECT_EQ(budget.taken_bytes(), 100 * KiB);
    const MemoryCharge third(std::move(second));
    EXPECT_EQ(budget.taken_bytes(), 100 * KiB);
  }
  EXPECT_EQ(budget.taken_bytes(), 0u);
}

TEST(MemoryCharge, WithoutABudgetEverythingFits) {
  MemoryCharge charge;
  EXPECT_TRUE(charge.resize(100 * KiB));
  EXPECT_TRUE(charge.resize(0));
}

}  // namespace
}  // namespace takt
