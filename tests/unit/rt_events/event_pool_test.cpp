#include "rt_events/model/event_pool.h"

#include <gtest/gtest.h>

#include <thread>

namespace takt::rt_events {
namespace {

TEST(EventPool, UsesRecordsAgain) {
  EventPool pool;
  ASSERT_TRUE(pool.reserve(1));
  const std::size_t made = pool.made();
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(pool.take());
  EXPECT_EQ(pool.made(), made);
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(EventPool, KeepsAnEventWhileItIsReferredTo) {
  EventPool pool;
  EventRef first = pool.take();
  first->event.data().pad1(7);
  EventRef copy = first;
  first = {};
  for (int i = 0; i < 1000; ++i) pool.take()->event.data().pad1(i);
  EXPECT_EQ(copy->event.data().pad1(), 7);
  EXPECT_EQ(pool.in_use(), 1u);
  EventRecord* record = copy.detach();
  EXPECT_EQ(pool.in_use(), 1u);
  EventRef::adopt(*record) = {};
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(EventPool, GrowsWhenMoreEventsAreHeldThanEver) {
  EventPool pool;
  std::vector<EventRef> held;
  for (int i = 0; i < 2000; ++i) {
    held.push_back(pool.take());
    held.back()->event.data().pad1(i);
  }
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(held[i]->event.data().pad1(), i);
  EXPECT_EQ(pool.in_use(), 2000u);
  EXPECT_GE(pool.made(), 2000u);
}

TEST(EventPool, ReservesNoMoreThanItMayHave) {
  EventPool pool;
  EXPECT_FALSE(pool.reserve(EventPool::most_events + 1));
  ASSERT_TRUE(pool.reserve(1000));
  EXPECT_FALSE(pool.reserve(EventPool::most_events - 999));
  pool.unreserve(1000);
}

TEST(EventPool, ReleasesAnysAndLongPayloads) {
  EventPool pool;
  EventRef event = pool.take();
  const EventRecord* record = &*event;
  CORBA::Any any;
  any <<= std::int32_t{7};
  event->event.data().any_value(any);
  event->event.data().payload().resize(EventPool::kept_payload_bytes + 1);
  event = {};
  EXPECT_EQ(record->event.data().any_value().type()->kind(), CORBA::TCKind::tk_null);
  EXPECT_LE(record->event.data().payload().capacity(), EventPool::kept_payload_bytes);
}

// Each thread writes its number into the events that it holds.
TEST(EventPool, GivesNoEventToTwoThreads) {
  EventPool pool;
  std::atomic<int> strange{0};
  std::vector<std::thread> threads;
  for (int number = 1; number <= 4; ++number)
    threads.emplace_back([&, number] {
      for (int round = 0; round < 10'000; ++round) {
        EventRef held[3];
        for (EventRef& event : held) {
          event = pool.take();
          event->event.data().pad1(number);
        }
        for (const EventRef& event : held) strange += event->event.data().pad1() != number;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(strange, 0);
  EXPECT_EQ(pool.in_use(), 0u);
}

}  // namespace
}  // namespace takt::rt_events
