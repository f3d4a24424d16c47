// The interfaces of a real-time event channel, row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "../event_clients.h"
#include "addresses/address_in.h"
#include "served.h"

namespace feature {
namespace {

namespace filters = takt::rt_events::filters;

TEST(RtEventService, PassesEventsToRemoteConsumersThatWantThem) {
  RtEventServer server({.channel = {.queued_events = 1'000}});
  const auto some = make_consumer(), all = make_consumer();
  server.connect(some, wants(filters::event(20)));
  server.connect(all, wants(filters::event(0, 1)));
  const auto supplier = server.supplier();
  for (std::int32_t i = 1; i <= 200; ++i) supplier->push({event(20, 2 * i - 1), event(21, 2 * i)});
  supplier->push({event(20, 0, 2)});
  ASSERT_TRUE(all->has(400) && some->has(201));
  EXPECT_EQ(all->numbers(), numbers_from(1, 400));
  EXPECT_EQ(some->numbers().at(1), 3);
  EXPECT_EQ(some->numbers().back(), 0);
  EXPECT_EQ(server.state().pushed(), 401u);
  EXPECT_EQ(server.client_state(false).events(), 401u);
}

TEST(RtEventService, SendsWhatWaitsInOneCallUnlessItSendsSingleEvents) {
  for (const bool single : {false, true}) {
    RtEventServer server({.channel = {.queued_events = 1'000}, .limits = {.single_events = single}});
    std::atomic<std::size_t> most{0};
    const auto consumer = make_consumer(
        [&](const RtecEventComm::EventSet& events) { most = std::max(most.load(), events.size()); });
    const auto proxy = server.connect(consumer, wants(filters::event(20)));
    server.supplier()->push({event(20, 1)});
    ASSERT_TRUE(consumer->has(1));
    RtecEventComm::EventSet events;
    for (std::int32_t i = 2; i <= 500; ++i) events.push_back(event(20, i));
    server.supplier()->push(events);
    ASSERT_TRUE(consumer->has(500));
    EXPECT_EQ(consumer->numbers(), numbers_from(1, 500));
    if (single)
      EXPECT_EQ(most, 1u);
    else
      EXPECT_GT(most, 1u);
  }
}

TEST(RtEventService, KeepsTheContentsOfEvents) {
  RtEventServer server;
  RtecEventComm::EventSet got;
  std::mutex mutex;
  const auto consumer = make_consumer([&](const RtecEventComm::EventSet& events) {
    const std::lock_guard lock(mutex);
    got = events;
  });
  server.connect(consumer, wants(filters::event(20)));
  RtecEventComm::Event sent = event(20, 7, 3);
  sent.header().creation_time(11);
  sent.data().payload({1, 2, 3});
  CORBA::Any any;
  any <<= std::string("rain");
  sent.data().any_value(any);
  server.supplier()->push({sent});
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return !got.empty();
  }));
  EXPECT_EQ(got[0].header().source(), 3);
  EXPECT_EQ(got[0].header().ttl(), 1);
  EXPECT_EQ(got[0].header().creation_time(), 11u);
  EXPECT_GT(got[0].header().ec_recv_time(), 0u);
  EXPECT_EQ(got[0].data().payload(), sent.data().payload());
  EXPECT_EQ(got[0].data().any_value(), any);
}

TEST(RtEventService, DeliversConjunctionsAsOneSet) {
  RtEventServer server;
  const auto consumer = make_consumer();
  server.connect(consumer, wants(filters::all({filters::event(20), filters::event(21)})));
  server.supplier()->push({event(21, 1), event(21, 2), event(20, 3)});
  ASSERT_TRUE(consumer->has(2));
  EXPECT_EQ(consumer->numbers(), (Numbers{3, 2}));
  EXPECT_EQ(consumer->sizes(), Numbers{2});
}

TEST(RtEventService, MakesEventsOfTimers) {
  RtEventServer server;
  const auto consumer = make_consumer();
  server.connect(consumer, wants(filters::any({filters::after(1ms), filters::every(2ms)})));
  ASSERT_TRUE(consumer->has(4));
  const Numbers types = consumer->types();
  EXPECT_EQ(std::count(types.begin(), types.end(), 4), 1);
  EXPECT_GE(std::count(types.begin(), types.end(), 5), 3);
}

TEST(RtEventService, ConnectsEachProxyOnce) {
  RtEventServer server;
  const auto consumer = make_consumer();
  const auto proxy = server.connect(consumer, wants(filters::event(20)));
  const auto again = server.object<RtecEventComm::PushConsumer>(make_consumer());
  EXPECT_THROW(proxy->connect_push_consumer(again, wants(filters::event(20))), admin::AlreadyConnected);
  EXPECT_THROW(server.supplier()->connect_push_supplier(nullptr, {}), admin::AlreadyConnected);
  EXPECT_THROW(server.channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(nullptr, {}),
               CORBA::BAD_PARAM);
}

TEST(RtEventService, LetsAClientTakeThePlaceOfAnEarlierOneIfItMayReconnect) {
  RtEventServer server({.limits = {.reconnects = true}});
  const auto first = make_consumer(), second = make_consumer();
  const auto proxy = server.connect(first, wants(filters::event(20)));
  const auto supplier = server.supplier();
  supplier->push({event(20, 1)});
  ASSERT_TRUE(first->has(1));
  // A subscription with a fault, or no consumer, changes nothing.
  const auto again = server.object<RtecEventComm::PushConsumer>(second);
  EXPECT_THROW(proxy->connect_push_consumer(again, wants({{takt::rt_events::conjunction, 5, 0}})),
               admin::TypeError);
  EXPECT_THROW(proxy->connect_push_consumer(nullptr, wants(filters::event(21))), CORBA::BAD_PARAM);
  supplier->push({event(20, 2)});
  ASSERT_TRUE(first->has(2));
  proxy->connect_push_consumer(again, wants(filters::event(21)));
  supplier->push({event(20, 3), event(21, 4)});
  ASSERT_TRUE(second->has(1));
  EXPECT_EQ(second->numbers(), Numbers{4});
  EXPECT_EQ(first->numbers(), (Numbers{1, 2}));
  EXPECT_EQ(first->disconnects, 0);
  EXPECT_EQ(server.state().proxies(), 2u);
  EXPECT_EQ(server.state().clients().size(), 2u);
  // A supplier, too, and the channel stays its proxies' only one.
  supplier->connect_push_supplier(nullptr, offers({{21, 1}}));
  supplier->push({event(21, 5)});
  ASSERT_TRUE(second->has(2));
  proxy->disconnect_push_supplier();
  EXPECT_THROW(proxy->connect_push_consumer(again, wants(filters::event(21))), CORBA::OBJECT_NOT_EXIST);
}

// The earlier consumer is found dead only after another one has taken its place.
TEST(RtEventService, KeepsAProxyWhoseEarlierClientHasDied) {
  RtEventServer server({.limits = {.reconnects = true,
                                   .give_up_after = std::chrono::milliseconds(50),
                                   .ping_after = std::chrono::milliseconds(20)}});
  const auto first = make_consumer(), second = make_consumer();
  const auto reference = server.object<RtecEventComm::PushConsumer>(first);
  const auto proxy = server.channel->for_consumers()->obtain_push_supplier();
  proxy->connect_push_consumer(reference, wants(filters::event(20)));
  proxy->connect_push_consumer(server.object<RtecEventComm::PushConsumer>(second), wants(filters::event(20)));
  server.clients->deactivate_object(server.clients->reference_to_id(reference));
  const auto supplier = server.supplier();
  for (std::int32_t i = 1; i <= 20; ++i) {
    supplier->push({event(20, i)});
    std::this_thread::sleep_for(10ms);
  }
  ASSERT_TRUE(second->has(20));
  EXPECT_EQ(second->numbers(), numbers_from(1, 20));
  EXPECT_EQ(server.state().dead(), 0u);
}

TEST(RtEventService, RefusesFaultySubscriptionsAndSaysWhy) {
  std::mutex mutex;
  std::string told;
  RtEventServer server({.report = [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    told += text;
  }});
  const auto consumer = make_consumer();
  const auto object = server.object<RtecEventComm::PushConsumer>(consumer);
  const auto proxy = server.channel->for_consumers()->obtain_push_supplier();
  EXPECT_THROW(proxy->connect_push_consumer(object, wants({{8, 2}, {20, 1}})), admin::TypeError);
  EXPECT_NE(told.find("entry 2 of the subscription"), std::string::npos) << told;
  EXPECT_NE(told.find("127.0.0.1:"), std::string::npos) << told;
  // The proxy is as before.
  proxy->connect_push_consumer(object, wants(filters::event(20)));
  server.supplier()->push({event(20, 1)});
  EXPECT_TRUE(consumer->has(1));
}

TEST(RtEventService, IsNoConsumerOfItsOwn) {
  RtEventServer server;
  const auto own = server.supplier();
  const auto proxy = server.channel->for_consumers()->obtain_push_supplier();
  EXPECT_THROW(proxy->connect_push_consumer(own, wants(filters::event(20))), admin::TypeError);
}

TEST(RtEventService, IsTheOnlyOneOfItsOrb) {
  RtEventServer server;
  const auto other = EventChannelService::start(server.server);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().find("AdapterAlreadyExists"), std::string::npos) << other.error();
  server.supplier()->push({event(20, 1)});
  EXPECT_TRUE(eventually([&] { return server.state().pushed() == 1; }));
}

TEST(RtEventService, KeepsNothingForSuspendedConsumers) {
  RtEventServer server;
  const auto consumer = make_consumer();
  const auto supplier = server.supplier();
  const auto proxy = server.channel->for_consumers()->obtain_push_supplier();
  proxy->suspend_connection();  // before it is connected
  proxy->connect_push_consumer(server.object<RtecEventComm::PushConsumer>(consumer),
                               wants(filters::event(20)));
  supplier->push({event(20, 1)});
  ASSERT_TRUE(eventually([&] { return server.client_state().missed() == 1; }));
  EXPECT_TRUE(server.client_state().suspended());
  proxy->resume_connection();
  supplier->push({event(20, 2)});
  ASSERT_TRUE(consumer->has(1));
  EXPECT_EQ(consumer->numbers(), Numbers{2});
}

TEST(RtEventService, DisconnectsClientsThatAsk) {
  RtEventServer server;
  const auto first = make_consumer(), second = make_consumer();
  const auto object = server.object<RtecEventComm::PushConsumer>(first);
  const auto proxy = server.channel->for_consumers()->obtain_push_supplier();
  proxy->connect_push_consumer(object, wants(filters::event(20)));
  server.connect(second, wants(filters::event(20)));
  const auto supplier = server.supplier();
  supplier->push({event(20, 1)});
  ASSERT_TRUE(first->has(1));
  proxy->disconnect_push_supplier();
  EXPECT_THROW(proxy->disconnect_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(proxy->suspend_connection(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(proxy->_non_existent());
  supplier->push({event(20, 2)});
  ASSERT_TRUE(second->has(2));
  supplier->disconnect_push_consumer();
  supplier->push({event(20, 3)});  // oneway: the supplier gets no exception
  EXPECT_TRUE(supplier->_non_existent());
  EXPECT_EQ(first->numbers(), Numbers{1});
  EXPECT_EQ(second->numbers(), (Numbers{1, 2}));
  EXPECT_EQ(first->disconnects, 0);
  EXPECT_EQ(server.state().proxies(), 1u);
  // The same consumer connects again, by another proxy.
  server.channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(object,
                                                                                 wants(filters::event(20)));
  server.supplier()->push({event(20, 4)});
  ASSERT_TRUE(first->has(2));
}

TEST(RtEventService, CountsEventsOfSuppliersThatAreNotConnected) {
  RtEventServer server;
  const auto proxy = server.channel->for_suppliers()->obtain_push_consumer();
  proxy->push({event(20, 1), event(20, 2)});
  ASSERT_TRUE(eventually([&] { return server.client_state(false).lost() == 2; }));
  EXPECT_EQ(server.state().pushed(), 0u);
}

TEST(RtEventService, TellsAllClientsWhenTheChannelIsDestroyed) {
  std::atomic<int> destroyed{0};
  RtEventServer server({.destroyed = [&] { ++destroyed; }});
  const auto consumer = make_consumer();
  const auto consumers = server.channel->for_consumers();
  server.connect(consumer, wants(filters::event(20)));
  const auto supplier = CORBA::make_reference<Supplier>();
  const auto pushes = server.channel->for_suppliers()->obtain_push_consumer();
  pushes->connect_push_supplier(server.object<RtecEventComm::PushSupplier>(supplier), {});
  server.channel->destroy();
  EXPECT_EQ(destroyed, 1);
  EXPECT_TRUE(eventually([&] { return consumer->disconnects == 1 && supplier->disconnects == 1; }));
  pushes->push({event(20, 1)});
  EXPECT_TRUE(server.channel->_non_existent());
  EXPECT_THROW(server.channel->for_consumers(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(server.channel->for_suppliers(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(consumers->obtain_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(server.channel->destroy(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(server.state().proxies(), 0u);
  EXPECT_EQ(server.state().pushed(), 0u);
  EXPECT_TRUE(consumer->numbers().empty());
}

TEST(RtEventService, ChoosesTheLevelByRtInfo) {
  RtEventServer server({.channel = {.levels = {{"first"}, {"second"}, {"third"}}}});
  const auto level_of = [&](const admin::ConsumerQOS& qos) {
    const auto proxy = server.connect(make_consumer(), qos);
    const auto level = server.client_state().level();
    proxy->disconnect_push_supplier();
    return level;
  };
  EXPECT_EQ(level_of(wants(filters::event(20))), 2u);
  EXPECT_EQ(level_of(wants(filters::event(20), 1)), 0u);
  EXPECT_EQ(level_of(wants(filters::event(20), 2)), 1u);
  auto mixed = wants(filters::any({filters::event(20), filters::event(21)}));
  mixed.dependencies()[1].rt_info(3);
  mixed.dependencies()[2].rt_info(2);
  EXPECT_EQ(level_of(mixed), 1u);
  EXPECT_EQ(raised_by([&] { level_of(wants(filters::event(20), 4)); }), "TypeError");
  EXPECT_EQ(raised_by([&] { level_of(wants(filters::event(20), -1)); }), "TypeError");
}

TEST(RtEventService, IsKnownByItsKeys) {
  RtEventServer server;
  const std::string place =
      "corbaloc::" + takt::addresses::address_in(takt::addresses::ior_of(server.channel)) + '/';
  const auto channel =
      IDL::traits<admin::EventChannel>::narrow(server.client->string_to_object(place + "EventService"));
  ASSERT_TRUE(channel);
  EXPECT_TRUE(channel->for_consumers());
  const auto state =
      IDL::traits<Takt::RtEvents::Service>::narrow(server.client->string_to_object(place + "TaktRtEvents"));
  ASSERT_TRUE(state);
  EXPECT_EQ(state->look(1).levels().size(), 1u);
}

TEST(RtEventService, EndsProxiesThatNobodyConnectsTo) {
  takt::rt_events::ServiceLimits limits;
  limits.connect_within = 20ms;
  RtEventServer server({.limits = limits});
  const auto kept = server.supplier();
  const auto unused = server.channel->for_suppliers()->obtain_push_consumer();
  EXPECT_TRUE(eventually([&] { return server.state().proxies() == 1; }));
  EXPECT_TRUE(unused->_non_existent());
  EXPECT_FALSE(kept->_non_existent());
}

TEST(RtEventService, BoundsItsProxies) {
  takt::rt_events::ServiceLimits limits;
  limits.proxies = 2;
  limits.publications = 1;
  RtEventServer server({.channel = {.consumers = 1}, .limits = limits});
  const auto consumer = make_consumer();
  const auto proxy = server.connect(consumer, wants(filters::event(20)));
  const auto more = server.channel->for_consumers()->obtain_push_supplier();
  const auto object = server.object<RtecEventComm::PushConsumer>(make_consumer());
  EXPECT_THROW(more->connect_push_consumer(object, wants(filters::event(20))), CORBA::IMP_LIMIT);
  EXPECT_THROW(server.supplier(), CORBA::IMP_LIMIT);
  proxy->disconnect_push_supplier();
  more->connect_push_consumer(object, wants(filters::event(20)));
  EXPECT_THROW(server.supplier(offers({{20, 1}, {21, 1}})), CORBA::IMP_LIMIT);
}

}  // namespace
}  // namespace feature
