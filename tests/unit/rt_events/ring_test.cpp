#include "rt_events/dispatch/ring.h"

#include <gtest/gtest.h>

#include <thread>

namespace takt::rt_events {
namespace {

TEST(Ring, IsInOrder) {
  for (const std::size_t capacity : {1u, 2u, 3u, 8u}) {
    Ring ring(capacity);
    for (std::uint32_t i = 0; i < 100; ++i) {
      EXPECT_TRUE(ring.push(i));
      EXPECT_EQ(ring.pop(), i);
      EXPECT_EQ(ring.pop(), std::nullopt);
    }
  }
}

TEST(Ring, RefusesMoreThanItsCapacity) {
  Ring ring(3);
  EXPECT_TRUE(ring.empty());
  for (int round = 0; round < 10; ++round) {
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_TRUE(ring.push(i));
    EXPECT_FALSE(ring.push(3));
    EXPECT_EQ(ring.size(), 3u);
    EXPECT_EQ(ring.pop(), 0u);
    EXPECT_TRUE(ring.push(4));
    EXPECT_EQ(ring.pop(), 1u);
    EXPECT_EQ(ring.pop(), 2u);
    EXPECT_EQ(ring.pop(), 4u);
    EXPECT_TRUE(ring.empty());
  }
}

TEST(Ring, HoldsTheLargestValue) {
  Ring ring(2);
  EXPECT_TRUE(ring.push(Ring::most));
  EXPECT_TRUE(ring.push(0));
  EXPECT_EQ(ring.pop(), Ring::most);
  EXPECT_EQ(ring.pop(), 0u);
}

// Values are 4 * number + producer. Every value that was pushed is popped once, and each consumer sees those
// of one producer in their order.
TEST(Ring, LosesNothingBetweenThreads) {
  constexpr std::uint32_t each = 20'000;
  for (const std::size_t capacity : {1u, 2u, 7u}) {
    Ring ring(capacity);
    std::vector<std::atomic<int>> seen(4 * each);
    std::atomic<std::uint32_t> popped{0}, disorder{0};
    std::vector<std::thread> threads;
    for (std::uint32_t producer = 0; producer < 2; ++producer)
      threads.emplace_back([&, producer] {
        for (std::uint32_t i = 0; i < each; ++i)
          while (!ring.push(4 * i + producer)) std::this_thread::yield();
      });
    for (int consumer = 0; consumer < 2; ++consumer)
      threads.emplace_back([&] {
        std::int64_t last[2] = {-1, -1};
        while (popped < 2 * each) {
          const auto value = ring.pop();
          if (!value) {
            std::this_thread::yield();
            continue;
          }
          ++popped;
          ++seen[*value];
          disorder += *value <= last[*value % 4];
          last[*value % 4] = *value;
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(disorder, 0u);
    for (std::uint32_t i = 0; i < each; ++i) ASSERT_TRUE(seen[4 * i] == 1 && seen[4 * i + 1] == 1) << i;
    EXPECT_TRUE(ring.empty());
  }
}

}  // namespace
}  // namespace takt::rt_events
