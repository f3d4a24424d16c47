#include "rt_events/model/event_pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include <takt/standard/CORBA_typesC.h>

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
  EventPool pool(100);
  EventRef event = pool.take();
  EXPECT_GE(event->event.data().payload().capacity(), 100u);
  const EventRecord* record = &*event;
  CORBA::Any any;
  any <<= std::int32_t{7};
  event->event.data().any_value(any);
  event->event.data().payload().resize(EventPool::kept_payload_bytes + 1);
  event = {};
  EXPECT_EQ(record->event.data().any_value().type()->kind(), CORBA::TCKind::tk_null);
  EXPECT_LE(record->event.data().payload().capacity(), EventPool::kept_payload_bytes);
  EXPECT_GE(record->event.data().payload().capacity(), 100u);
}

// The octets of a message that has the event behind `before` numbers of 4 octets.
std::vector<std::uint8_t> message_of(const EventRecord& record, int before, bool by_record,
                                     const cdr::Format& format = {}) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer, format);
  for (int i = 0; i < before; ++i) out.put(std::uint32_t{7});
  if (by_record)
    record.write(out);
  else
    cdr::Codec<RtecEventComm::Event>::write(out, record.event);
  EXPECT_TRUE(out.ok());
  return buffer.copy();
}

void fill(RtecEventComm::Event& event, std::size_t payload, const CORBA::Any& value) {
  event.header().type(20);
  event.header().source(3);
  event.header().ttl(1);
  event.header().creation_time(0x0102030405060708);
  event.header().ec_send_time(9);
  event.data().pad1(5);
  event.data().payload().assign(payload, 0xab);
  event.data().any_value(value);
}

TEST(EventRecord, WritesEachEventAsItsCodecDoes) {
  CORBA::Any number, text, real;
  number <<= std::int32_t{7};
  text <<= std::string("f\u00fcr");
  real <<= 1.5;
  constexpr cdr::CodeSets latin{cdr::CodeSetId::iso_8859_1, cdr::CodeSetId::utf_16};
  const cdr::Format formats[] = {
      {}, {.giop_minor = 0}, {.code_sets = &latin}, {.order = cdr::ByteOrder::big}};
  EventPool pool(16, true);
  for (const CORBA::Any& value : {CORBA::Any(), number, text, real})
    for (const std::size_t payload : {0, 1, 5, 64, 9'000}) {
      EventRef event = pool.take();
      fill(event->event, payload, value);
      for (int round = 0; round < 2; ++round)
        for (const cdr::Format& format : formats)
          for (const int before : {0, 1, 2})
            EXPECT_EQ(message_of(*event, before, true, format), message_of(*event, before, false, format))
                << payload << " octets, behind " << before;
    }
}

// All messages have the octets of the first, although the event has changed, which events never do.
TEST(EventRecord, EncodesAnEventOnce) {
  EventPool pool;
  EventRef event = pool.take();
  fill(event->event, 64, {});
  const auto first = message_of(*event, 1, true);
  event->event.data().payload().assign(64, 0xcd);
  EXPECT_EQ(message_of(*event, 1, true), first);
  EXPECT_EQ(message_of(*event, 2, true).size(), first.size() + 8);
  EventRecord& record = *event;
  event = {};
  event = pool.take();  // the same memory
  ASSERT_EQ(&*event, &record);
  fill(event->event, 32, {});
  EXPECT_EQ(message_of(*event, 1, true), message_of(*event, 1, false));
}

// The second event of a message that has the same value as the first refers to that one.
TEST(EventRecord, EncodesValuesForEachMessage) {
  const CORBA::valuetype_reference<CORBA::StringValue> value(std::make_shared<CORBA::StringValue>("rain"));
  CORBA::Any any;
  any <<= value;
  EventPool pool;
  const EventRef one = pool.take(), other = pool.take();
  fill(one->event, 3, any);
  fill(other->event, 5, any);
  const auto both = [&](const EventRef& first, const EventRef& second, bool by_record) {
    GatherBuffer buffer;
    cdr::Encoder out(buffer);
    for (const EventRef& each : {first, second}) {
      if (by_record)
        each->write(out);
      else
        cdr::Codec<RtecEventComm::Event>::write(out, each->event);
    }
    EXPECT_TRUE(out.ok());
    return buffer.copy();
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(both(one, other, true), both(one, other, false));
    EXPECT_EQ(both(other, one, true), both(other, one, false));
  }
}

TEST(EventRecord, EncodesForMessagesOfSeveralThreadsAtOnce) {
  EventPool pool;
  for (int round = 0; round < 200; ++round) {
    EventRef event = pool.take();
    fill(event->event, static_cast<std::size_t>(round), {});
    const auto expected = message_of(*event, 1, false);
    std::atomic<int> strange{0};
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] { strange += message_of(*event, 1, true) != expected; });
    }
    EXPECT_EQ(strange, 0);
  }
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
