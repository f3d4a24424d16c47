#include "notification_parts/model/event_queue.h"

#include <gtest/gtest.h>

#include <chrono>

namespace takt::notification {
namespace {

using namespace std::chrono_literals;
using Numbers = std::vector<std::int32_t>;

constexpr Clock::time_point noon{std::chrono::hours(12)};
constexpr std::uint64_t any_length = UINT64_MAX;

class EventQueueTest : public ::testing::Test {
 protected:
  void add(EventQueue& queue, std::int32_t number, Placement placement = {}) {
    CORBA::Any data;
    data <<= number;
    queue.add(std::make_shared<const Event>(data, memory, held), placement, noon);
  }
  static Numbers numbers_of(const std::vector<Queued>& events) {
    Numbers numbers;
    for (const Queued& each : events) each.event->as_any() >>= numbers.emplace_back();
    return numbers;
  }
  static Numbers all(EventQueue& queue, Clock::time_point now = noon) {
    return numbers_of(queue.take(1'000, any_length, now));
  }
  // Adds five events with priorities and lifetimes to a queue of three.
  Numbers kept_by(Discard discard) {
    EventQueue queue(memory, {.order = Order::fifo, .discard = discard, .limit = 3});
    add(queue, 1, {.priority = 5, .expiry = noon + 9s});
    add(queue, 2, {.priority = 1, .expiry = noon + 8s});
    add(queue, 3, {.priority = 4, .expiry = noon + 1s});
    add(queue, 4, {.priority = 2, .expiry = noon + 7s});
    add(queue, 5, {.priority = 3});
    EXPECT_EQ(queue.discarded(), 2u);
    return all(queue);
  }

  Memory memory{1 << 20};
  std::shared_ptr<HeldEvents> held = std::make_shared<HeldEvents>(0);
};

TEST_F(EventQueueTest, KeepsTheOrderOfItsPolicy) {
  for (const auto& [order, numbers] :
       {std::pair(Order::any, Numbers{1, 2, 3, 4}), std::pair(Order::fifo, Numbers{1, 2, 3, 4}),
        std::pair(Order::priority, Numbers{3, 2, 4, 1}), std::pair(Order::deadline, Numbers{4, 1, 2, 3})}) {
    EventQueue queue(memory, {.order = order, .limit = 10});
    add(queue, 1, {.priority = -1, .expiry = noon + 2s});
    add(queue, 2);
    add(queue, 3, {.priority = 9});
    add(queue, 4, {.expiry = noon + 1s});
    EXPECT_EQ(all(queue), numbers);
  }
}

TEST_F(EventQueueTest, TakesNoMoreOctetsThanAskedFor) {
  EventQueue queue(memory, {.order = Order::fifo, .limit = 10});
  const auto add_text = [&](std::size_t length, const Placement& placement = {}) {
    CORBA::Any data;
    data <<= std::string(length, 'x');
    queue.add(std::make_shared<const Event>(data, memory, held), placement, noon);
  };
  for (const std::size_t length : {1'000u, 1'000u, 1'000u, 9'000u, 1'000u}) add_text(length);
  add_text(1'000, {.start = noon + 1s});
  EXPECT_EQ(queue.due(noon), 5u);
  EXPECT_GE(queue.due_bytes(), 13'000u);
  EXPECT_LT(queue.due_bytes(), 14'000u);
  EXPECT_EQ(queue.take(10, 2'500, noon).size(), 2u);
  EXPECT_EQ(queue.take(10, 2'500, noon).size(), 1u);
  auto longest = queue.take(10, 2'500, noon);  // is longer, and alone
  EXPECT_EQ(longest.size(), 1u);
  queue.put_back(std::move(longest));
  EXPECT_EQ(queue.due(noon + 1s), 3u);
  EXPECT_GE(queue.due_bytes(), 11'000u);
  EXPECT_EQ(queue.take(10, any_length, noon + 1s).size(), 3u);
  EXPECT_EQ(queue.due_bytes(), 0u);
  add_text(1'000);
  queue.set({.order = Order::priority, .limit = 10});
  EXPECT_LT(queue.due_bytes(), 2'000u);
  queue.clear();
  EXPECT_EQ(queue.due_bytes(), 0u);
}

TEST_F(EventQueueTest, DiscardsByItsPolicy) {
  EXPECT_EQ(kept_by(Discard::any), (Numbers{3, 4, 5}));
  EXPECT_EQ(kept_by(Discard::fifo), (Numbers{3, 4, 5}));
  EXPECT_EQ(kept_by(Discard::lifo), (Numbers{1, 2, 3}));
  EXPECT_EQ(kept_by(Discard::priority), (Numbers{1, 3, 5}));
  EXPECT_EQ(kept_by(Discard::deadline), (Numbers{1, 2, 5}));
}

TEST_F(EventQueueTest, DropsEventsThatHaveExpired) {
  EventQueue queue(memory, {.limit = 2});
  add(queue, 1, {.expiry = noon + 1s});
  add(queue, 2, {.expiry = noon + 2s});
  EXPECT_EQ(all(queue, noon + 1s), Numbers{2});
  EXPECT_EQ(queue.expired(), 1u);
  add(queue, 3, {.expiry = noon});
  EXPECT_EQ(queue.due(noon), 0u);
  EXPECT_EQ(queue.expired(), 2u);
  EXPECT_EQ(queue.discarded(), 0u);
}

TEST_F(EventQueueTest, HoldsEventsUntilTheirStart) {
  EventQueue queue(memory, {.order = Order::priority, .limit = 10});
  add(queue, 1, {.priority = 9, .start = noon + 5s});
  add(queue, 2);
  EXPECT_EQ(queue.due(noon), 1u);
  EXPECT_EQ(queue.next_start(), noon + 5s);
  EXPECT_EQ(numbers_of(queue.take(1, any_length, noon)), Numbers{2});
  EXPECT_TRUE(all(queue, noon + 4s).empty());
  EXPECT_EQ(all(queue, noon + 5s), Numbers{1});
  EXPECT_EQ(queue.next_start(), std::nullopt);
}

TEST_F(EventQueueTest, TakesBackWhatCouldNotBeDelivered) {
  EventQueue queue(memory, {.order = Order::fifo, .limit = 3});
  for (int i = 1; i <= 3; ++i) add(queue, i);
  auto taken = queue.take(2, any_length, noon);
  queue.put_back(std::move(taken));
  EXPECT_EQ(all(queue), (Numbers{1, 2, 3}));
}

TEST_F(EventQueueTest, TakesBackNoMoreThanItHasRoomFor) {
  for (const auto& [discard, kept] :
       {std::pair(Discard::fifo, Numbers{4, 5, 6}), std::pair(Discard::lifo, Numbers{1, 2, 3}),
        std::pair(Discard::priority, Numbers{1, 5, 6})}) {
    std::vector<std::uint64_t> given_up;
    EventQueue queue(memory, {.order = Order::fifo, .discard = discard, .limit = 3},
                     [&](const Queued& event) { given_up.push_back(event.number); });
    for (std::int16_t i = 1; i <= 3; ++i) add(queue, i, {.priority = static_cast<std::int16_t>(9 - 3 * i)});
    auto refused = queue.take(3, any_length, noon);
    for (std::int16_t i = 4; i <= 6; ++i) add(queue, i, {.priority = i});
    queue.put_back(std::move(refused));
    EXPECT_EQ(queue.discarded(), 3u);
    EXPECT_EQ(given_up.size(), 3u);
    EXPECT_EQ(all(queue), kept);
  }
}

TEST_F(EventQueueTest, OrdersAnewWhenItsPoliciesChange) {
  EventQueue queue(memory, {.order = Order::fifo, .limit = 10});
  for (std::int16_t i = 1; i <= 4; ++i)
    add(queue, i, {.priority = i, .start = i == 4 ? noon + 1s : noon - 1s});
  queue.set({.order = Order::priority, .discard = Discard::priority, .limit = 3});
  EXPECT_EQ(queue.discarded(), 1u);
  EXPECT_EQ(all(queue, noon + 1s), (Numbers{4, 3, 2}));
}

TEST_F(EventQueueTest, ShrinksByItsPolicyToOneEvent) {
  EventQueue queue(memory, {.order = Order::fifo, .discard = Discard::priority, .limit = 10});
  for (std::int16_t i = 1; i <= 3; ++i) add(queue, i, {.priority = static_cast<std::int16_t>(i % 3)});
  const std::uint64_t before = queue.fullness().bytes();
  EXPECT_TRUE(queue.shrink());
  EXPECT_EQ(queue.fullness().events(), 2u);
  EXPECT_LT(queue.fullness().bytes(), before);
  EXPECT_TRUE(queue.shrink());
  EXPECT_FALSE(queue.shrink());
  EXPECT_EQ(queue.fullness().bytes(), 0u) << "the last one is not to be given up";
  EXPECT_EQ(queue.discarded(), 2u);
  EXPECT_EQ(all(queue), Numbers{2});
}

TEST_F(EventQueueTest, GivesAllMemoryBack) {
  {
    EventQueue queue(memory, {.discard = Discard::priority, .limit = 3});
    for (int i = 1; i <= 9; ++i) add(queue, i, {.start = noon + 1s, .expiry = noon + 2s});
    EXPECT_EQ(*held, 3u);
    queue.take(1, any_length, noon + 1s);
    EXPECT_GT(memory.used_bytes(), 0u);
  }
  EXPECT_EQ(memory.used_bytes(), 0u);
  EXPECT_EQ(*held, 0u);
}

}  // namespace
}  // namespace takt::notification
