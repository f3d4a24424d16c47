// The event service's interfaces, row by row: who is connected gets the events, and who is not gets the
// standard's exceptions.
#include <gtest/gtest.h>

#include "../event_clients.h"
#include "served.h"

namespace feature {
namespace {

TEST(EventChannel, PassesPushedEventsToEveryConsumerInOrder) {
  EventServer server;
  const Channel channel = server.channel();
  const auto first = make_consumer(), second = make_consumer();
  server.connect(channel, first);
  server.connect(channel, second);
  const auto supplier = server.supplier(channel);
  for (std::int32_t i = 1; i <= 500; ++i) supplier->push(number(i));
  ASSERT_TRUE(first->receives(500) && second->receives(500));
  EXPECT_EQ(first->numbers(), numbers(1, 500));
  EXPECT_EQ(second->numbers(), numbers(1, 500));
}

TEST(EventChannel, KeepsEventsForConsumersThatPull) {
  EventServer server;
  const Channel channel = server.channel();
  const auto proxy = channel->for_consumers()->obtain_pull_supplier();
  const auto consumer = CORBA::make_reference<PullingConsumer>();
  proxy->connect_pull_consumer(server.object<CosEventComm::PullConsumer>(consumer));
  bool has_event = true;
  EXPECT_EQ(proxy->try_pull(has_event), CORBA::Any());
  EXPECT_FALSE(has_event);
  const auto supplier = server.supplier(channel);
  for (std::int32_t i = 1; i <= 3; ++i) supplier->push(number(i));
  EXPECT_EQ(proxy->pull(), number(1));
  EXPECT_EQ(proxy->try_pull(has_event), number(2));
  EXPECT_TRUE(has_event);
  EXPECT_EQ(proxy->pull(), number(3));
  proxy->try_pull(has_event);
  EXPECT_FALSE(has_event);
}

TEST(EventChannel, PullWaitsForAnEvent) {
  EventServer server;
  const Channel channel = server.channel();
  const auto proxy = channel->for_consumers()->obtain_pull_supplier();
  proxy->connect_pull_consumer(nullptr);
  CORBA::Any pulled;
  std::thread puller([&] { pulled = proxy->pull(); });
  EXPECT_TRUE(eventually([&] { return server.service->look().waiting_pulls == 1; }));
  server.supplier(channel)->push(number(7));
  puller.join();
  EXPECT_EQ(pulled, number(7));
}

TEST(EventChannel, PullsFromSuppliers) {
  EventServer server;
  takt::events::ChannelSettings settings;
  settings.pull_period = 5ms;
  const Channel channel = server.channel(settings);
  const auto consumer = make_consumer();
  server.connect(channel, consumer);
  const auto supplier = CORBA::make_reference<PulledSupplier>(100);
  const auto proxy = channel->for_suppliers()->obtain_pull_consumer();
  proxy->connect_pull_supplier(server.object<CosEventComm::PullSupplier>(supplier));
  ASSERT_TRUE(consumer->receives(100));
  EXPECT_EQ(consumer->numbers(), numbers(1, 100));
  proxy->disconnect_pull_consumer();
  EXPECT_TRUE(eventually([&] { return supplier->disconnects == 1; }));
}

TEST(EventChannel, KeepsNoEventsFromBeforeTheConnection) {
  EventServer server;
  const Channel channel = server.channel();
  const auto pulls = channel->for_consumers()->obtain_pull_supplier();
  const auto supplier = server.supplier(channel);
  supplier->push(number(1));
  pulls->connect_pull_consumer(nullptr);
  const auto consumer = make_consumer();
  server.connect(channel, consumer);
  supplier->push(number(2));
  EXPECT_EQ(pulls->pull(), number(2));
  ASSERT_TRUE(consumer->receives(1));
  EXPECT_EQ(consumer->numbers(), numbers(2, 1));
}

// omniEvents accepts them too: suppliers need not connect.
TEST(EventChannel, TakesEventsFromSuppliersThatAreNotConnected) {
  EventServer server;
  const Channel channel = server.channel();
  const auto consumer = make_consumer();
  server.connect(channel, consumer);
  channel->for_suppliers()->obtain_push_consumer()->push(number(1));
  EXPECT_TRUE(consumer->receives(1));
}

TEST(EventChannel, ConnectsEachProxyOnce) {
  EventServer server;
  const Channel channel = server.channel();
  const auto consumers = channel->for_consumers();
  const auto suppliers = channel->for_suppliers();
  const auto consumer = server.object<CosEventComm::PushConsumer>(make_consumer());
  const auto pushes = consumers->obtain_push_supplier();
  pushes->connect_push_consumer(consumer);
  EXPECT_THROW(pushes->connect_push_consumer(consumer), CosEventChannelAdmin::AlreadyConnected);
  const auto pulls = consumers->obtain_pull_supplier();
  pulls->connect_pull_consumer(nullptr);
  EXPECT_THROW(pulls->connect_pull_consumer(nullptr), CosEventChannelAdmin::AlreadyConnected);
  const auto pushed = server.supplier(channel);
  EXPECT_THROW(pushed->connect_push_supplier(nullptr), CosEventChannelAdmin::AlreadyConnected);
  const auto supplier = server.object<CosEventComm::PullSupplier>(CORBA::make_reference<PulledSupplier>(0));
  const auto pulled = suppliers->obtain_pull_consumer();
  pulled->connect_pull_supplier(supplier);
  EXPECT_THROW(pulled->connect_pull_supplier(supplier), CosEventChannelAdmin::AlreadyConnected);
}

TEST(EventChannel, RefusesNilWhereItWouldCallIt) {
  EventServer server;
  const Channel channel = server.channel();
  EXPECT_THROW(channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(nullptr),
               CORBA::BAD_PARAM);
  EXPECT_THROW(channel->for_suppliers()->obtain_pull_consumer()->connect_pull_supplier(nullptr),
               CORBA::BAD_PARAM);
  channel->for_consumers()->obtain_pull_supplier()->connect_pull_consumer(nullptr);
  channel->for_suppliers()->obtain_push_consumer()->connect_push_supplier(nullptr);
}

TEST(EventChannel, DisconnectCallsTheOtherSideOnce) {
  EventServer server;
  const Channel channel = server.channel();
  const auto consumer = make_consumer();
  server.connect(channel, consumer)->disconnect_push_supplier();
  const auto pulling = CORBA::make_reference<PullingConsumer>();
  const auto pulls = channel->for_consumers()->obtain_pull_supplier();
  pulls->connect_pull_consumer(server.object<CosEventComm::PullConsumer>(pulling));
  pulls->disconnect_pull_supplier();
  const auto pushing = CORBA::make_reference<PushingSupplier>();
  const auto pushed = channel->for_suppliers()->obtain_push_consumer();
  pushed->connect_push_supplier(server.object<CosEventComm::PushSupplier>(pushing));
  pushed->disconnect_push_consumer();
  EXPECT_TRUE(eventually([&] {
    return consumer->disconnects() == 1 && pulling->disconnects == 1 && pushing->disconnects == 1;
  }));
  channel->destroy();
  EXPECT_EQ(consumer->disconnects(), 1);
  EXPECT_EQ(server.service->look().proxies, 0u);
}

TEST(EventChannel, ProxiesAreGoneAfterDisconnect) {
  EventServer server;
  const Channel channel = server.channel();
  const auto consumer = make_consumer();
  const auto pushes = server.connect(channel, consumer);
  const auto pulls = channel->for_consumers()->obtain_pull_supplier();
  const auto pushed = server.supplier(channel);
  pulls->connect_pull_consumer(nullptr);
  EXPECT_FALSE(pushes->_non_existent() || pulls->_non_existent() || pushed->_non_existent());
  pushes->disconnect_push_supplier();
  pulls->disconnect_pull_supplier();
  pushed->disconnect_push_consumer();
  bool has_event = false;
  EXPECT_THROW(pushed->push(number(1)), CosEventComm::Disconnected);
  EXPECT_THROW(pulls->pull(), CosEventComm::Disconnected);
  EXPECT_THROW(pulls->try_pull(has_event), CosEventComm::Disconnected);
  EXPECT_THROW(pushed->connect_push_supplier(nullptr), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(pulls->connect_pull_consumer(nullptr), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(pushes->connect_push_consumer(server.object<CosEventComm::PushConsumer>(make_consumer())),
               CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(pushes->disconnect_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(pulls->disconnect_pull_supplier(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(pushed->disconnect_push_consumer(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(pushes->_non_existent() && pulls->_non_existent() && pushed->_non_existent());
}

TEST(EventChannel, PullsBeforeTheConnectionAreDisconnected) {
  EventServer server;
  const auto pulls = server.channel()->for_consumers()->obtain_pull_supplier();
  bool has_event = false;
  EXPECT_THROW(pulls->pull(), CosEventComm::Disconnected);
  EXPECT_THROW(pulls->try_pull(has_event), CosEventComm::Disconnected);
}

TEST(EventChannel, DestroyDisconnectsEveryClient) {
  EventServer server;
  const Channel channel = server.channel();
  const auto admin = channel->for_consumers();
  const auto suppliers = channel->for_suppliers();
  const auto consumer = make_consumer();
  server.connect(channel, consumer);
  const auto pulls = admin->obtain_pull_supplier();
  pulls->connect_pull_consumer(nullptr);
  std::string of_pull;
  std::thread puller([&] { of_pull = raised_by([&] { pulls->pull(); }); });
  EXPECT_TRUE(eventually([&] { return server.service->look().waiting_pulls == 1; }));
  const auto pulled = CORBA::make_reference<PulledSupplier>(0);
  suppliers->obtain_pull_consumer()->connect_pull_supplier(server.object<CosEventComm::PullSupplier>(pulled));
  channel->destroy();
  puller.join();
  EXPECT_EQ(of_pull, "Disconnected");
  EXPECT_TRUE(eventually([&] { return consumer->disconnects() == 1 && pulled->disconnects == 1; }));
  EXPECT_THROW(channel->destroy(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(channel->for_consumers(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(channel->for_suppliers(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(admin->obtain_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(admin->obtain_pull_supplier(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(suppliers->obtain_push_consumer(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(suppliers->obtain_pull_consumer(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(channel->_non_existent() && admin->_non_existent() && suppliers->_non_existent());
}

TEST(EventChannel, PassesAnyTypeUnchanged) {
  EventServer server;
  const Channel channel = server.channel();
  const auto consumer = make_consumer();
  server.connect(channel, consumer);
  const auto supplier = server.supplier(channel);
  std::vector<CORBA::Any> sent(6);
  sent[0] <<= std::string("text");
  sent[1] <<= CosNaming::NameComponent("id", "kind");
  sent[2] <<= CosNaming::Name{{"a", "b"}, {"c", "d"}};
  sent[3] <<= sent[1];
  sent[4] <<= std::wstring(L"wide");
  for (const CORBA::Any& each : sent) supplier->push(each);  // the last one is null
  ASSERT_TRUE(consumer->receives(sent.size()));
  EXPECT_EQ(consumer->all(), sent);
}

TEST(EventChannel, ConsumersOfTheServicesOwnProcessAreCalledWithoutTheWire) {
  EventServer server;
  const auto made = server.service->make_channel({});
  ASSERT_TRUE(made);
  const auto consumer = make_consumer();
  const auto proxy = (*made)->for_consumers()->obtain_push_supplier();
  proxy->connect_push_consumer(IDL::traits<CosEventComm::PushConsumer>::narrow(
      server.root->id_to_reference(server.root->activate_object(consumer))));
  const auto supplier = (*made)->for_suppliers()->obtain_push_consumer();
  for (std::int32_t i = 1; i <= 100; ++i) supplier->push(number(i));
  ASSERT_TRUE(consumer->receives(100));
  EXPECT_EQ(consumer->numbers(), numbers(1, 100));
}

takt::events::EventService::Options with_reconnection() {
  takt::events::EventService::Options options;
  options.limits.reconnects = true;
  return options;
}

TEST(EventReconnection, LetsAClientTakeThePlaceOfAnEarlierOne) {
  EventServer server(with_reconnection());
  const Channel channel = server.channel();
  const auto first = make_consumer(), second = make_consumer();
  const auto proxy = server.connect(channel, first);
  const auto supplier = server.supplier(channel);
  supplier->push(number(1));
  ASSERT_TRUE(first->receives(1));
  EXPECT_THROW(proxy->connect_push_consumer(nullptr), CORBA::BAD_PARAM);
  proxy->connect_push_consumer(server.object<CosEventComm::PushConsumer>(second));
  supplier->connect_push_supplier(nullptr);
  supplier->push(number(2));
  ASSERT_TRUE(second->receives(1));
  EXPECT_EQ(first->numbers(), numbers(1, 1));
  EXPECT_EQ(second->numbers(), numbers(2, 1));
  EXPECT_EQ(first->disconnects(), 0);
  EXPECT_EQ(server.service->look().proxies, 2u);
  proxy->disconnect_push_supplier();
  EXPECT_TRUE(eventually([&] { return second->disconnects() == 1; }));
  EXPECT_EQ(first->disconnects(), 0);
}

// The call to the earlier consumer ends first; what waits meanwhile is for the later one.
TEST(EventReconnection, WaitsForTheCallThatIsUnderWay) {
  EventServer server(with_reconnection());
  const Channel channel = server.channel();
  std::atomic<bool> entered{false}, may_leave{false};
  const auto first = make_consumer([&](const CORBA::Any&) {
    entered = true;
    EXPECT_TRUE(eventually([&] { return may_leave.load(); }));
  });
  const auto second = make_consumer(), third = make_consumer();
  const auto proxy = server.connect(channel, first);
  const auto supplier = server.supplier(channel);
  supplier->push(number(1));
  ASSERT_TRUE(eventually([&] { return entered.load(); }));
  proxy->connect_push_consumer(server.object<CosEventComm::PushConsumer>(second));
  proxy->connect_push_consumer(server.object<CosEventComm::PushConsumer>(third));
  supplier->push(number(2));
  supplier->push(number(3));
  may_leave = true;
  ASSERT_TRUE(third->receives(2));
  EXPECT_EQ(third->numbers(), numbers(2, 2));
  EXPECT_EQ(first->numbers(), numbers(1, 1));
  EXPECT_EQ(second->count(), 0u);
}

// Events that the earlier client did not take wait for the next one.
TEST(EventReconnection, GivesWhatWaitedForAnEarlierClientToTheNextOne) {
  EventServer server(with_reconnection());
  const Channel channel = server.channel();
  const auto second = make_consumer();
  const auto proxy = channel->for_consumers()->obtain_push_supplier();
  {
    const Orb other = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "other");
    const Poa poa = root_poa(other);
    poa->the_POAManager()->activate();
    proxy->connect_push_consumer(
        IDL::traits<CosEventComm::PushConsumer>::narrow(server.client->string_to_object(
            other->object_to_string(poa->id_to_reference(poa->activate_object(make_consumer()))))));
    other->destroy();
  }
  const auto supplier = server.supplier(channel);
  supplier->push(number(1));
  supplier->push(number(2));
  std::this_thread::sleep_for(20ms);  // the first attempt
  proxy->connect_push_consumer(server.object<CosEventComm::PushConsumer>(second));
  ASSERT_TRUE(second->receives(2));
  EXPECT_EQ(second->numbers(), numbers(1, 2));
}

TEST(EventProxies, MayBeAHundredThousand) {
  EventServer server;
  const auto made = server.service->make_channel({});
  ASSERT_TRUE(made);
  const auto consumers = (*made)->for_consumers();
  const auto suppliers = (*made)->for_suppliers();
  const auto supplier = suppliers->obtain_push_consumer();
  const auto consumer = make_consumer();
  server.connect(server.seen_by_client<CosEventChannelAdmin::EventChannel>(*made), consumer);
  for (int i = 0; i < 49'999; ++i) {
    consumers->obtain_push_supplier();
    suppliers->obtain_pull_consumer();
  }
  EXPECT_EQ(server.service->look().proxies, 100'000u);
  EXPECT_THROW(consumers->obtain_push_supplier(), CORBA::IMP_LIMIT);
  supplier->push(number(1));
  EXPECT_TRUE(consumer->receives(1));
  (*made)->destroy();
  EXPECT_EQ(server.service->look().proxies, 0u);
}

TEST(EventProxies, OfOneChannelAreNotConnectedToEachOther) {
  EventServer server;
  const Channel channel = server.channel(), other = server.channel();
  const auto pushed = channel->for_suppliers()->obtain_push_consumer();
  const auto pushes = channel->for_consumers()->obtain_push_supplier();
  EXPECT_THROW(pushes->connect_push_consumer(pushed), CosEventChannelAdmin::TypeError);
  const auto pulls = channel->for_suppliers()->obtain_pull_consumer();
  const auto pulled = channel->for_consumers()->obtain_pull_supplier();
  EXPECT_THROW(pulls->connect_pull_supplier(pulled), CosEventChannelAdmin::TypeError);
  // One channel after the other is possible.
  pushed->connect_push_supplier(nullptr);
  other->for_consumers()->obtain_push_supplier()->connect_push_consumer(pushed);
  const auto consumer = make_consumer();
  server.connect(channel, consumer);
  server.supplier(other)->push(number(1));
  EXPECT_TRUE(consumer->receives(1));
}

TEST(EventProxies, OfSeveralChannelsAreNotConnectedInACircle) {
  EventServer server;
  const Channel a = server.channel(), b = server.channel(), c = server.channel();
  const auto push_to = [](const Channel& from, const Channel& to) {
    const auto proxy = from->for_consumers()->obtain_push_supplier();
    proxy->connect_push_consumer(to->for_suppliers()->obtain_push_consumer());
    return proxy;
  };
  const auto pull_from = [](const Channel& from, const Channel& to) {
    const auto pulled = from->for_consumers()->obtain_pull_supplier();
    pulled->connect_pull_consumer(nullptr);
    to->for_suppliers()->obtain_pull_consumer()->connect_pull_supplier(pulled);
  };
  push_to(a, b);
  push_to(a, c);
  const auto link = push_to(b, c);
  EXPECT_THROW(push_to(c, a), CosEventChannelAdmin::TypeError);
  EXPECT_THROW(pull_from(c, a), CosEventChannelAdmin::TypeError);
  EXPECT_THROW(push_to(b, a), CosEventChannelAdmin::TypeError);
  link->disconnect_push_supplier();
  pull_from(c, b);
  EXPECT_THROW(push_to(b, c), CosEventChannelAdmin::TypeError);
}

TEST(EventProxies, ThatNothingConnectsToAreRemoved) {
  takt::events::EventService::Options options;
  options.limits.connect_within = 40ms;
  EventServer server(options);
  const Channel channel = server.channel();
  const auto kept = channel->for_consumers()->obtain_pull_supplier();
  kept->connect_pull_consumer(nullptr);
  for (int i = 0; i < 10; ++i) channel->for_consumers()->obtain_push_supplier();
  EXPECT_TRUE(eventually([&] { return server.service->look().proxies == 1; }));
  bool has_event = true;
  kept->try_pull(has_event);
}

// A pull consumer without an object cannot be asked whether it exists.
TEST(EventChannel, ConsumersThatNeverPullTakeNoEventsFromOthers) {
  takt::events::EventService::Options options;
  options.limits.queued_bytes = 1 << 20;
  EventServer server(options);
  const Channel channel = server.channel();
  const auto pull_consumer = [&] {
    const auto proxy = channel->for_consumers()->obtain_pull_supplier();
    proxy->connect_pull_consumer(nullptr);
    return proxy;
  };
  const auto other = pull_consumer();
  pull_consumer();
  const auto supplier = server.supplier(channel);
  CORBA::Any large;
  large <<= std::string(10'000, 'x');
  for (int burst = 0; burst < 8; ++burst) {
    for (int i = 0; i < 20; ++i) supplier->push(large);
    for (int i = 0; i < 20; ++i) {
      bool has_event = false;
      other->try_pull(has_event);
      ASSERT_TRUE(has_event) << burst << ' ' << i;
    }
  }
  EXPECT_GT(server.first_channel().discarded, 40u);
  EXPECT_LT(server.service->look().queued_bytes, 1u << 20);
}

// A question to the client before is due when the next one connects.
TEST(EventChannel, SuppliersThatConnectAgainWithoutAnObjectStay) {
  takt::events::EventService::Options options;
  options.limits.reconnects = true;
  options.limits.ping_after = 20ms;
  EventServer server(options);
  const Channel channel = server.channel();
  const auto proxy = channel->for_suppliers()->obtain_push_consumer();
  {
    const Orb other = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "dead");
    const auto reference = root_poa(other)->id_to_reference(
        root_poa(other)->activate_object(CORBA::make_reference<PushingSupplier>()));
    proxy->connect_push_supplier(IDL::traits<CosEventComm::PushSupplier>::unchecked_narrow(
        server.client->string_to_object(other->object_to_string(reference))));
    other->destroy();
  }
  ASSERT_TRUE(eventually([&] { return server.first_channel().proxies.at(0).suspect; }));
  proxy->connect_push_supplier(nullptr);
  for (int i = 0; i < 20; ++i) {  // until the time of the next question is over
    proxy->push(number(i));
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_EQ(server.first_channel().dead, 0u);
}

TEST(EventChannel, CountsProxiesThatItDoesNotShow) {
  EventServer server;
  const Channel channel = server.channel();
  for (int i = 0; i < 4; ++i) {
    channel->for_consumers()->obtain_pull_supplier();
    const auto connected = channel->for_consumers()->obtain_pull_supplier();
    if (i == 2) connected->connect_pull_consumer(nullptr);
  }
  server.supplier(channel)->push(number(1));
  const auto state = server.service->look(1).channels.at(0);
  EXPECT_EQ(state.proxy_count, 9u);
  ASSERT_EQ(state.proxies.size(), 1u);
  EXPECT_EQ(state.proxies.front().pending, 1u) << "the one with the most pending events";
  EXPECT_EQ(server.service->look(0).channels.at(0).pending, 1u);
}

}  // namespace
}  // namespace feature
