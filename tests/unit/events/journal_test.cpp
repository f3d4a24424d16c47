// The journal of a store that throws.
#include "sqlite/journal.h"

#include <gtest/gtest.h>

#include <atomic>
#include <expected>
#include <new>
#include <stdexcept>
#include <thread>

#include "sqlite/store_fault.h"

namespace takt::sqlite {
namespace {

struct ThrowingStore {
  std::expected<void, StoreFault> write(std::span<const int* const> changes) {
    for (const int* each : changes) sum += *each;
    if (throws) throw std::bad_alloc();
    return {};
  }
  std::atomic<bool>& throws;
  std::atomic<int>& sum;
};

struct JournalOfThrowingStore : testing::Test {
  std::atomic<bool> throws{true};
  std::atomic<int> sum{0};
  std::vector<std::string> told;
  Journal<ThrowingStore, int> journal{std::make_unique<ThrowingStore>(throws, sum),
                                      [this](const std::string& why_not) {
                                        told.push_back(why_not);
                                        throw std::runtime_error("no memory for a message");
                                      }};
};

TEST_F(JournalOfThrowingStore, AnswersAndGoesOn) {
  const auto written = journal.write(1);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().text, "out of memory");
  EXPECT_TRUE(written.error().maybe_done);
  throws = false;
  EXPECT_TRUE(journal.write(2)) << "the next one does not wait for the first";
  EXPECT_TRUE(journal.write(3));
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(told, (std::vector<std::string>{"out of memory", ""}));
}

TEST_F(JournalOfThrowingStore, AnswersAllThreadsOfABatch) {
  std::atomic<int> answers{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k < 50; ++k) answers += journal.write(1).has_value() ? 0 : 1;
      });
  }
  EXPECT_EQ(answers, 400);
}

}  // namespace
}  // namespace takt::sqlite
