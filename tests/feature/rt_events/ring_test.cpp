// Consumers that read a channel's events from a shared buffer, and those that cannot.
#include <gtest/gtest.h>
#include <unistd.h>

#include <takt/standard/CORBA_typesC.h>

#include "Takt_EventRingC.h"
#include "addresses/address_in.h"
#include "event_ring/event_rings.h"
#include "event_ring/handover/local_socket.h"
#include "event_ring/ring_consumer.h"
#include "rt_events/model/filters.h"
#include "served.h"

namespace feature {
namespace {

namespace filters = takt::rt_events::filters;
using takt::event_ring::EventRingOptions;
using takt::event_ring::EventRings;
using takt::event_ring::RingConsumer;
using takt::event_ring::RingConsumerOptions;

// A channel with shared buffers.
struct RingServer : RtEventServer {
  explicit RingServer(EventRingOptions options = {}, EventChannelServiceOptions service_options = {})
      : RtEventServer(std::move(service_options)),
        rings(*EventRings::start(server, *service, std::move(options))),
        source(client->string_to_object(
            "corbaloc::" + takt::addresses::address_in(takt::addresses::ior_of(channel)) +
            "/TaktEventRing")) {}
  ~RingServer() { rings->stop(); }

  void push(const RtecEventComm::Event& event) const { service->channel().push(event); }

  std::unique_ptr<EventRings> rings;
  const CORBA::object_reference<CORBA::Object> source;
};

// A consumer, and what it has received.
class Reader {
 public:
  Reader(const RingServer& server, CORBA::object_reference<CORBA::Object> source, RingConsumerOptions options,
         std::function<void()> on_events = {}) {
    options.report = [this](const std::string& text) { told = text; };
    options.ended = [this](const std::string& text) { note(ended_, text); };
    auto connected =
        RingConsumer::connect(server.client, source, std::move(options), [this, on_events](auto events) {
          {
            const std::lock_guard lock(mutex_);
            for (const auto& each : events) numbers_.push_back(each.data().pad1());
            last_ = events.back();
          }
          if (on_events) on_events();
        });
    if (!connected) throw std::runtime_error(connected.error());
    consumer = *std::move(connected);
  }
  Numbers numbers() const {
    const std::lock_guard lock(mutex_);
    return numbers_;
  }
  RtecEventComm::Event last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  std::string ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
  }
  bool has(std::size_t count) const {
    return eventually([&] { return numbers().size() >= count; });
  }

  std::string told;
  std::unique_ptr<RingConsumer> consumer;

 private:
  void note(std::string& where, const std::string& text) {
    const std::lock_guard lock(mutex_);
    where = text;
  }

  mutable std::mutex mutex_;
  Numbers numbers_;
  RtecEventComm::Event last_;
  std::string ended_;
};

RingConsumerOptions for_types(Entries filter, std::size_t level = 0) {
  return {.filter = std::move(filter), .level = level};
}

TEST(EventRings, AnEventIsWrittenOnceForAllConsumersWhichFilterByThemselves) {
  RingServer server;
  Reader some(server, server.source, for_types(filters::event(20))),
      others(server, server.source, for_types(filters::any({filters::event(21), filters::event(22, 7)}))),
      all(server, server.source, for_types(filters::event(0)));
  EXPECT_TRUE(some.consumer->shares() && others.consumer->shares() && all.consumer->shares());
  EXPECT_EQ(some.told, "");
  const auto supplier = server.supplier();
  for (std::int32_t i = 0; i < 300; ++i)
    supplier->push({event(20, 3 * i), event(21, 3 * i + 1), event(22, 3 * i + 2, i % 2 ? 7 : 1)});
  ASSERT_TRUE(some.has(300) && others.has(450) && all.has(900));
  EXPECT_EQ(all.numbers(), numbers_from(0, 900));
  for (std::int32_t i = 0; i < 300; ++i) EXPECT_EQ(some.numbers()[static_cast<std::size_t>(i)], 3 * i);
  EXPECT_EQ(server.rings->counts().events, 900u) << "once for three consumers";
  EXPECT_EQ(server.rings->counts().readers, 3u);
  EXPECT_EQ(server.state().clients().size(), 1u) << "the supplier; readers are no clients of the channel";
  EXPECT_EQ(some.consumer->counts().filtered, 600u);
  EXPECT_EQ(all.consumer->counts().lost, 0u);
}

TEST(EventRings, AllPartsOfAnEventArrive) {
  RingServer server;
  Reader reader(server, server.source, for_types(filters::event(20)));
  RtecEventComm::Event sent = event(20, 7, 3, 100'000);
  sent.data().payload().back() = 9;
  sent.data().any_value() <<= CORBA::object_reference<CORBA::Object>(server.channel);
  server.push(sent);
  ASSERT_TRUE(reader.has(1));
  const RtecEventComm::Event last = reader.last();
  EXPECT_EQ(last.header().source(), 3);
  EXPECT_EQ(last.data().payload(), sent.data().payload());
  CORBA::object_reference<CORBA::Object> object;
  ASSERT_TRUE(last.data().any_value() >>= object);
  ASSERT_TRUE(object);
  EXPECT_TRUE(object->_is_a(admin::EventChannel::_interface_repository_id()))
      << "a reference that can be called";
}

TEST(EventRings, ASlowConsumerLosesEventsAndTheOthersLoseNone) {
  RingServer server({.bytes = 64 * 1024});
  std::atomic<bool> waits{true};
  Reader slow(server, server.source, for_types(filters::event(20)), [&] { waits.wait(true); }),
      quick(server, server.source, for_types(filters::event(20)));
  constexpr std::int32_t events = 2'000;
  for (std::int32_t i = 0; i < events; ++i) {
    server.push(event(20, i, 1, 200));
    if (i % 50 != 49) continue;
    ASSERT_TRUE(quick.has(static_cast<std::size_t>(i + 1)));
  }
  EXPECT_EQ(quick.numbers(), numbers_from(0, events));
  EXPECT_EQ(quick.consumer->counts().lost, 0u);
  EXPECT_LT(slow.numbers().size(), 300u);
  waits = false;
  waits.notify_all();
  ASSERT_TRUE(eventually([&] { return slow.numbers().back() == events - 1; }))
      << "it goes on with the newest";
  EXPECT_EQ(slow.numbers().size() + slow.consumer->counts().lost, static_cast<std::size_t>(events));
  EXPECT_EQ(server.rings->counts().lost, 0u);
}

TEST(EventRings, WhatTheChannelDiscardsOrCannotWriteIsCountedByReaders) {
  RingServer server({.bytes = std::size_t{1} << 20, .queued_events = 8});
  Reader reader(server, server.source, for_types(filters::event(20)));
  server.push(event(20, 0));
  ASSERT_TRUE(reader.has(1));
  server.push(event(20, 1, 1, 300'000));
  ASSERT_TRUE(eventually([&] { return server.rings->counts().too_long == 1; }));
  for (std::int32_t i = 2; i < 5'000; ++i) server.push(event(20, i));
  ASSERT_TRUE(eventually([&] { return server.state().pending() == 0 && server.state().held() == 0; }));
  server.push(event(20, 5'000));
  ASSERT_TRUE(eventually([&] { return reader.numbers().back() == 5'000; }));
  EXPECT_EQ(reader.consumer->counts().lost, server.rings->counts().lost);
  EXPECT_EQ(reader.numbers().size() + reader.consumer->counts().lost, 5'001u);
  EXPECT_EQ(server.rings->counts().too_long, 1u);
}

TEST(EventRings, ACallHasALimitOfOctets) {
  RingServer server({.bytes = std::size_t{1} << 20});
  std::mutex mutex;
  std::vector<std::size_t> calls;
  std::atomic<bool> waits{true};
  std::atomic<std::size_t> received{0};
  const auto consumer =
      *RingConsumer::connect(server.client, server.source, for_types(filters::event(20)), [&](auto events) {
        received += events.size();
        waits.wait(true);
        const std::lock_guard lock(mutex);
        calls.push_back(events.size());
        for (const auto& each : events)
          EXPECT_EQ(each.data().payload().size(), static_cast<std::size_t>(each.header().source()));
      });
  ASSERT_TRUE(consumer->shares());
  server.push(event(20, 0, 1, 1));
  ASSERT_TRUE(eventually([&] { return received == 1; }));
  for (std::int32_t i = 1; i <= 40; ++i) server.push(event(20, i, 10'000, 10'000));
  server.push(event(20, 41, 200'000, 200'000));
  server.push(event(20, 42, 1, 1));
  ASSERT_TRUE(eventually([&] { return server.rings->counts().events == 43; }));
  waits = false;
  waits.notify_all();
  ASSERT_TRUE(eventually([&] { return received == 43; }));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(std::ranges::max(calls), 7u) << "64 KiB and one more";
}

TEST(EventRings, FiguresOfBuffersAndReadersAreShown) {
  RingServer server({.bytes = 64 * 1024}, {.channel = {.levels = {{"first"}, {"second"}}}});
  std::atomic<bool> waits{true};
  Reader slow(server, server.source, for_types(filters::event(20), 1), [&] { waits.wait(true); });
  auto quick = std::make_unique<Reader>(server, server.source, for_types(filters::event(20), 1));
  constexpr std::int32_t events = 2'000;
  server.push(event(20, 0, 1, 200));
  ASSERT_TRUE(slow.has(1) && quick->has(1));
  for (std::int32_t i = 1; i < events; ++i) {
    server.push(event(20, i, 1, 200));
    if (i % 50 != 49) continue;
    ASSERT_TRUE(quick->has(static_cast<std::size_t>(i + 1)));
  }
  server.push(event(20, events, 1, 20'000));
  ASSERT_TRUE(eventually([&] { return server.rings->counts().too_long == 1; }));
  const auto rings = [&] { return server.state().rings(); };
  EXPECT_EQ(rings().buffers().size(), 2u);
  const auto unused = rings().buffers()[0], used = rings().buffers()[1];
  EXPECT_EQ(unused.octets() + unused.occupied() + unused.readers() + unused.events(), 0u);
  EXPECT_EQ(used.readers(), 2u);
  EXPECT_EQ(used.events(), static_cast<std::uint64_t>(events));
  EXPECT_EQ(used.lost(), 1u);
  EXPECT_EQ(used.too_long(), 1u);
  EXPECT_EQ(used.octets(), 64u * 1024);
  EXPECT_EQ(used.occupied(), 64u * 1024) << "it is full";
  waits = false;
  waits.notify_all();
  ASSERT_TRUE(eventually([&] { return rings().readers().size() == 2 && rings().readers()[0].lost() > 1; }));
  const auto with_losses = rings().readers()[0];
  EXPECT_EQ(with_losses.number(), 1u) << "those with the most losses come first";
  EXPECT_EQ(with_losses.process(), ::getpid());
  EXPECT_EQ(with_losses.level(), 1u);
  ASSERT_TRUE(eventually([&] {
    return rings().readers()[0].read() + rings().readers()[0].lost() ==
           static_cast<std::uint64_t>(events + 1);
  }));
  ASSERT_TRUE(eventually([&] { return rings().readers()[1].lost() == 1; })) << "the one that was too long";
  EXPECT_EQ(server.service->look(1).rings().readers().size(), 1u);
  const std::uint64_t losses = slow.consumer->counts().lost + 1;
  EXPECT_EQ(rings().buffers()[1].reader_losses(), losses);
  quick.reset();
  slow.consumer.reset();
  ASSERT_TRUE(eventually([&] { return rings().buffers()[1].readers() == 0; }));
  EXPECT_TRUE(eventually([&] {
    return rings().buffers()[1].octets() + rings().buffers()[1].occupied() == 0;
  })) << "the memory is given back";
  EXPECT_EQ(rings().buffers()[1].reader_losses(), losses);
  EXPECT_TRUE(rings().readers().empty());
  server.rings->stop();
  EXPECT_EQ(rings().buffers().size(), 2u);
}

// As docs/user/real-time-events.md says about the octets of an event.
TEST(EventRings, AnEventTakesItsEncodingAndSixteenOctets) {
  RingServer server({.bytes = 64 * 1024});
  Reader reader(server, server.source, for_types(filters::event(20)));
  std::uint64_t occupied = 0;
  std::size_t events = 0;
  for (const std::size_t payload : {0, 64, 100, 1'000}) {
    server.push(event(20, 0, 1, payload));
    ASSERT_TRUE(reader.has(++events));
    const std::uint64_t encoded = 52 + (payload + 3) / 4 * 4;
    occupied += 16 + (encoded + 15) / 16 * 16;
    EXPECT_EQ(server.state().rings().buffers()[0].occupied(), occupied) << payload;
  }
}

// The bounds of a schedule do not know readers, which name no operation.
TEST(EventRings, AChannelWhoseClientsAScheduleCountsHasNone) {
  EventChannelServiceOptions scheduled;
  scheduled.declarations.consumer_connects = [](auto, const auto&) { return std::nullopt; };
  const RtEventServer server(scheduled);
  const auto rings = EventRings::start(server.server, *server.service);
  ASSERT_FALSE(rings);
  EXPECT_NE(rings.error().find("get each event by a call, which the schedule counts"), std::string::npos)
      << rings.error();
}

TEST(EventRings, LevelsMayBeThoseOfASchedule) {
  RingServer server({}, {.channel = {.schedule = {{.name = "A::f", .priority = -1}}}});
  Reader reader(server, server.source, for_types(filters::event(20)));
  EXPECT_TRUE(reader.consumer->shares());
  server.push(event(20, 1));
  EXPECT_TRUE(reader.has(1));
}

class FactoryThatThrows final : public CORBA::ValueFactoryBase {
 public:
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override { throw 1; }
};

TEST(EventRings, AValueFactoryThatThrowsCostsItsEvent) {
  RingServer server;
  server.client->register_value_factory(CORBA::StringValue::_repository_id(),
                                        std::make_shared<FactoryThatThrows>());
  Reader reader(server, server.source, for_types(filters::event(20)));
  RtecEventComm::Event with_value = event(20, 1);
  with_value.data().any_value() <<= CORBA::make_reference<CORBA::StringValue>("rain");
  server.push(with_value);
  server.push(event(20, 2));
  ASSERT_TRUE(reader.has(1));
  EXPECT_EQ(reader.numbers(), Numbers{2});
  EXPECT_EQ(reader.consumer->counts().malformed, 1u);
}

TEST(EventRings, AProgramThatIsToldMayAskAndThrow) {
  std::atomic<bool> told{false};
  std::atomic<std::uint64_t> asked{0};
  EventRings* rings = nullptr;
  RingServer server({.report = [&](const std::string&) {
    told = true;
    told.notify_all();
    std::this_thread::sleep_for(20ms);  // meanwhile they stop
    asked = rings->counts().events + 1;
    throw 1;
  }});
  rings = server.rings.get();
  const auto source = IDL::traits<Takt::EventRing::Source>::narrow(server.source);
  const auto socket = *takt::event_ring::connect_to(source->rings().token(), 5s);
  ASSERT_EQ(takt::event_ring::send_greeting(socket, {9}), 0);
  told.wait(false);
  server.rings->stop();
  EXPECT_EQ(asked, 1u);
}

TEST(EventRings, ConsumersThatCannotShareGetCallsAndAreToldWhy) {
  RingServer server({.readers = 1}, {.channel = {.levels = {{"first"}, {"second"}}}});
  Reader sharing(server, server.source, for_types(filters::event(20), 1));
  EXPECT_TRUE(sharing.consumer->shares());
  const auto conjunction = filters::all({filters::event(20), filters::event(21)});
  Reader no_place(server, server.source, for_types(filters::event(20), 1)),
      collects(server, server.source, for_types(conjunction, 1)),
      plain_channel(server, server.channel, for_types(filters::event(20)));
  EXPECT_NE(no_place.told.find("no room for another reader"), std::string::npos) << no_place.told;
  EXPECT_NE(collects.told.find("filters that collect"), std::string::npos) << collects.told;
  EXPECT_NE(plain_channel.told.find("no shared buffer"), std::string::npos) << plain_channel.told;
  const auto all_answer = [&] {
    std::size_t answer = 0;
    const auto state = server.state();
    for (const auto& each : state.clients()) answer += each.answers() ? 1 : 0;
    return answer == 3;
  };
  ASSERT_TRUE(eventually(all_answer));
  server.push(event(20, 1));
  server.push(event(21, 2));
  for (const Reader* const each : {&sharing, &no_place, &plain_channel}) {
    EXPECT_TRUE(each->has(1));
    EXPECT_EQ(each->numbers(), Numbers{1});
  }
  ASSERT_TRUE(collects.has(2));
  EXPECT_EQ(collects.numbers(), (Numbers{1, 2}));
  EXPECT_FALSE(no_place.consumer->shares() || collects.consumer->shares() ||
               plain_channel.consumer->shares());
  no_place.consumer.reset();
  ASSERT_TRUE(eventually([&] { return server.state().clients().size() == 2; }));
  // A place is free again when its consumer has gone.
  sharing.consumer.reset();
  ASSERT_TRUE(eventually([&] { return server.rings->counts().readers == 0; }));
  Reader next(server, server.source, for_types(filters::event(22)));
  EXPECT_TRUE(next.consumer->shares());
  server.push(event(22, 3));
  EXPECT_TRUE(next.has(1));
}

TEST(EventRings, FaultsOfTheProgramAreNamed) {
  RingServer server;
  const auto refusal = [&](RingConsumerOptions options,
                           const CORBA::object_reference<CORBA::Object>& source) {
    const auto connected = RingConsumer::connect(server.client, source, std::move(options), [](auto) {});
    return connected ? std::string() : connected.error();
  };
  EXPECT_NE(refusal(for_types({{takt::rt_events::negation}}), server.source).find("entry 1"),
            std::string::npos);
  EXPECT_NE(refusal(for_types(filters::event(20), 1), server.source).find("level 1"), std::string::npos);
  EXPECT_NE(refusal({}, nullptr).find("no channel"), std::string::npos);
  EXPECT_NE(refusal({}, server.channel->for_consumers()).find("not that of a channel"), std::string::npos);
  const auto rings = EventRings::start(server.server, *server.service, {.bytes = 100'000});
  EXPECT_NE(rings.error().find("power of two"), std::string::npos);
  EXPECT_FALSE(EventRings::start(server.server, *server.service, {.readers = 0}));
  EXPECT_FALSE(EventRings::start(server.server, *server.service)) << "an ORB can have one";
  // An exception is counted, and the next event comes.
  Reader throws(server, server.source, for_types(filters::event(20)), [] { throw std::runtime_error("no"); });
  for (std::int32_t i = 0; i < 2; ++i) {
    server.push(event(20, i));
    ASSERT_TRUE(throws.has(static_cast<std::size_t>(i + 1)));
  }
  EXPECT_TRUE(eventually([&] { return throws.consumer->counts().failures == 2; }));
}

TEST(EventRings, ReadersLearnThatTheChannelEndsAfterItsLastEvent) {
  RingServer server;
  Reader reader(server, server.source, for_types(filters::event(20)));
  Reader called(server, server.channel, for_types(filters::event(20)));
  const auto throws = *RingConsumer::connect(
      server.client, server.source, {.ended = [](const std::string&) { throw std::runtime_error("no"); }},
      [](auto) {});
  for (std::int32_t i = 0; i < 100; ++i) server.push(event(20, i));
  ASSERT_TRUE(reader.has(100));
  server.rings->stop();
  EXPECT_TRUE(eventually([&] { return reader.ended() == "the channel has ended"; })) << reader.ended();
  EXPECT_EQ(reader.numbers(), numbers_from(0, 100));
  EXPECT_TRUE(eventually([&] { return throws->counts().failures == 1; }));
  server.service->stop();
  EXPECT_TRUE(eventually([&] { return called.ended() == "the channel has ended"; })) << called.ended();
}

}  // namespace
}  // namespace feature
