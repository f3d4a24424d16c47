#include "events/model/event_queue.h"

#include <gtest/gtest.h>

namespace takt::events {
namespace {

EventPtr event(std::int32_t number, Memory& memory) {
  CORBA::Any data;
  data <<= number;
  return std::make_shared<const Event>(data, memory);
}

std::vector<std::int32_t> all(EventQueue& queue) {
  std::vector<std::int32_t> numbers;
  while (const EventPtr event = queue.take()) {
    std::int32_t number = 0;
    event->data() >>= number;
    numbers.push_back(number);
  }
  return numbers;
}

TEST(EventQueue, IsInOrder) {
  Memory memory(1 << 20);
  EventQueue queue(10, Discard::oldest, memory);
  for (int i = 1; i <= 3; ++i) queue.add(event(i, memory));
  EXPECT_EQ(queue.size(), 3u);
  EXPECT_EQ(all(queue), (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.take(), nullptr);
}

TEST(EventQueue, DiscardsTheOldestOrTheNewest) {
  Memory memory(1 << 20);
  EventQueue oldest(2, Discard::oldest, memory), newest(2, Discard::newest, memory);
  for (int i = 1; i <= 5; ++i) {
    oldest.add(event(i, memory));
    newest.add(event(i, memory));
  }
  EXPECT_EQ(oldest.discarded(), 3u);
  EXPECT_EQ(newest.discarded(), 3u);
  EXPECT_EQ(all(oldest), (std::vector<std::int32_t>{4, 5}));
  EXPECT_EQ(all(newest), (std::vector<std::int32_t>{1, 2}));
}

TEST(EventQueue, TakesAnEventBackToItsPlace) {
  Memory memory(1 << 20);
  EventQueue queue(2, Discard::oldest, memory);
  for (int i = 1; i <= 2; ++i) queue.add(event(i, memory));
  EventPtr first = queue.take();
  queue.add(event(3, memory));
  queue.put_back(std::move(first));
  EXPECT_EQ(queue.discarded(), 0u);
  EXPECT_EQ(all(queue), (std::vector<std::int32_t>{1, 2, 3}));
}

TEST(EventQueue, TakesSeveralUpToTheirBytes) {
  Memory memory(1 << 20);
  EventQueue queue(10, Discard::oldest, memory);
  for (int i = 1; i <= 6; ++i) queue.add(event(i, memory));
  std::vector<EventPtr> taken;
  queue.take(2, 1 << 20, taken);
  EXPECT_EQ(taken.size(), 2u);
  queue.take(10, 2 * taken.front()->bytes(), taken);
  EXPECT_EQ(taken.size(), 4u);
  queue.take(10, 1, taken);  // one is taken however long it is
  EXPECT_EQ(taken.size(), 5u);
  EXPECT_EQ(all(queue), std::vector<std::int32_t>{6});
}

TEST(EventQueue, TakesBackNoMoreThanItHasRoomFor) {
  Memory memory(1 << 20);
  for (const Discard discard : {Discard::oldest, Discard::newest}) {
    EventQueue queue(2, discard, memory);
    for (int i = 1; i <= 2; ++i) queue.add(event(i, memory));
    std::vector<EventPtr> taken;
    queue.take(2, 1 << 20, taken);
    for (int i = 3; i <= 4; ++i) queue.add(event(i, memory));
    queue.put_back(std::move(taken[1]));
    queue.put_back(std::move(taken[0]));
    EXPECT_EQ(queue.discarded(), 1u);
    EXPECT_EQ(all(queue), discard == Discard::oldest ? (std::vector<std::int32_t>{2, 3, 4})
                                                     : (std::vector<std::int32_t>{1, 2, 3}));
  }
}

TEST(EventQueue, CountsItsMemory) {
  Memory memory(1 << 20);
  {
    EventQueue queue(10, Discard::oldest, memory);
    for (int i = 1; i <= 5; ++i) queue.add(event(i, memory));
    EXPECT_GT(memory.used_bytes(), 5 * sizeof(std::int32_t));
    queue.take();
    queue.put_back(event(0, memory));
  }
  EXPECT_EQ(memory.used_bytes(), 0u);
}

// A type can be much longer than the values of it.
TEST(EventQueue, CountsTheMemoryOfTypes) {
  Memory memory(1 << 20);
  CORBA::Any data;
  data <<= std::int32_t{1};
  data.type(cdr::make_alias("IDL:A:1.0", std::string(100'000, 'x'), data.type()));
  const auto event = std::make_shared<const Event>(data, memory);
  EXPECT_GT(memory.used_bytes(), 200'000u) << "as it is held and as it is sent";
  EXPECT_GT(event->bytes(), 200'000u);
}

TEST(EventQueue, ShrinksToOneEvent) {
  for (const Discard discard : {Discard::oldest, Discard::newest}) {
    Memory memory(1);
    EventQueue queue(10, discard, memory);
    for (int i = 1; i <= 5; ++i) queue.add(event(i, memory));
    EXPECT_TRUE(queue.shrink(0, 0));
    EXPECT_FALSE(queue.shrink(0, 0));
    EXPECT_EQ(queue.discarded(), 4u);
    EXPECT_EQ(queue.fullness().bytes(), 0u) << "the last one is not to be given up";
    EXPECT_EQ(all(queue), std::vector<std::int32_t>{discard == Discard::oldest ? 5 : 1});
  }
}

struct SharingQueue {
  SharingQueue(Memory& memory, MemoryShares& shares)
      : queue(1'000, Discard::oldest, memory),
        share(shares, queue.fullness(),
              [this](std::uint64_t bytes, std::uint64_t enough) { return queue.shrink(bytes, enough); }) {}

  EventQueue queue;
  MemoryShares::Share share;
};

TEST(MemoryShares, TheFullestQueuesGiveUpEvents) {
  Memory memory(1 << 18);
  MemoryShares shares(memory);
  const std::uint64_t each = event(0, memory)->bytes() + sizeof(EventPtr);
  const auto fills = static_cast<int>(memory.limit_bytes() / each) + 1;
  SharingQueue small(memory, shares), large(memory, shares), larger(memory, shares);
  for (int i = 0; i < 10; ++i) small.queue.add(event(i, memory));
  for (int i = 0; i < fills / 2; ++i) large.queue.add(event(i, memory));
  shares.relieve();
  EXPECT_EQ(large.queue.discarded(), 0u) << "the memory is not full";
  for (int i = 0; i < fills; ++i) larger.queue.add(event(i, memory));
  shares.relieve();
  EXPECT_LT(memory.used_bytes(), memory.limit_bytes());
  EXPECT_EQ(small.queue.discarded(), 0u);
  EXPECT_GT(larger.queue.discarded(), 0u);
  EXPECT_GE(larger.queue.size() + larger.queue.size() / 8, large.queue.size());
}

TEST(MemoryShares, AQueueWithOneLongEventIsNotTheFullest) {
  Memory memory(1 << 20);
  MemoryShares shares(memory);
  SharingQueue one(memory, shares), other(memory, shares);
  CORBA::Any data;
  data <<= std::string(1 << 20, 'x');
  one.queue.add(std::make_shared<const Event>(data, memory));
  for (int i = 1; i <= 5; ++i) other.queue.add(event(i, memory));
  shares.relieve();
  EXPECT_EQ(one.queue.size(), 1u);
  EXPECT_EQ(all(other.queue), std::vector<std::int32_t>{5});
}

}  // namespace
}  // namespace takt::events
