// Consumers that hang, die or disconnect during an event, and clients that ask for too much: they cost the
// others nothing.
#include <gtest/gtest.h>

#include "../event_clients.h"
#include "served.h"

namespace feature {
namespace {

namespace filters = takt::rt_events::filters;
using takt::rt_events::ServiceLimits;

// Larger than what the system buffers for a connection, after a few hundred events.
constexpr std::size_t large = 60'000;

// Pushes events until `count` have reached the consumer, one after the other.
void push_to(const CORBA::object_reference<admin::ProxyPushConsumer>& supplier,
             const CORBA::servant_reference<Consumer>& consumer, std::size_t count, std::size_t octets) {
  for (std::size_t i = 1; i <= count; ++i) {
    supplier->push({event(20, static_cast<std::int32_t>(i), 1, octets)});
    ASSERT_TRUE(consumer->has(i)) << i;
  }
}

TEST(RtEventConsumers, ThatHangCostTheOthersNoEvent) {
  ServiceLimits limits;
  limits.push_timeout = 50ms;
  RtEventServer server({.limits = limits});
  Gate gate;
  std::vector<CORBA::servant_reference<Consumer>> hanging;
  for (int i = 0; i < 4; ++i) {
    hanging.push_back(make_consumer([&](const RtecEventComm::EventSet&) { gate.pass(); }));
    server.connect(hanging.back(), wants(filters::event(20)));
  }
  const auto prompt = make_consumer();
  server.connect(prompt, wants(filters::event(20)));
  const auto supplier = server.supplier();
  push_to(supplier, prompt, 400, large);
  EXPECT_EQ(prompt->numbers(), numbers_from(1, 400));
  EXPECT_GE(gate.waiting(), 4);
  std::uint64_t lost = 0;
  const auto state = server.state();
  for (const auto& each : state.clients()) {
    if (!each.consumer()) continue;
    EXPECT_LE(each.pending(), 64u);
    if (each.events() < 400) lost += each.lost() + each.missed() + each.discarded() > 0;
  }
  EXPECT_EQ(lost, 4u);
  gate.open();
}

TEST(RtEventConsumers, ThatAnswerAgainGetTheNextEvents) {
  ServiceLimits limits;
  limits.push_timeout = 20ms;
  RtEventServer server({.limits = limits});
  Gate gate;
  const auto slow = make_consumer([&](const RtecEventComm::EventSet&) { gate.pass(); });
  server.connect(slow, wants(filters::event(20)));
  const auto supplier = server.supplier();
  ASSERT_TRUE(eventually([&] {
    supplier->push({event(20, 0, 1, large)});
    return server.client_state().lost() > 0;
  }));
  gate.open();
  ASSERT_TRUE(eventually([&] {
    supplier->push({event(20, 1)});
    const Numbers numbers = slow->numbers();
    return !numbers.empty() && numbers.back() == 1;
  }));
  EXPECT_EQ(server.state().dead(), 0u);
}

// Nothing answers at that address. The level's only thread does not try to connect to it.
TEST(RtEventConsumers, ThatCannotBeConnectedKeepNoThreadOfTheirLevel) {
  RtEventServer server({.channel = {.max_threads = 1}});
  const auto nobody = IDL::traits<RtecEventComm::PushConsumer>::unchecked_narrow(
      server.client->string_to_object("corbaloc::192.0.2.1:9/nobody"));
  for (int i = 0; i < 20; ++i)
    server.channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(nobody,
                                                                                   wants(filters::event(20)));
  const auto prompt = make_consumer();
  server.connect(prompt, wants(filters::event(20)));
  push_to(server.supplier(), prompt, 20, 0);
  int unreached = 0;
  const auto state = server.state();
  for (const auto& each : state.clients())
    unreached +=
        each.address() == "192.0.2.1:9" && !each.answers() && each.pending() == 20 && each.lost() == 0;
  EXPECT_EQ(unreached, 20);
}

TEST(RtEventConsumers, GetEventsInOrderWhileTheyAreAskedWhetherTheyExist) {
  ServiceLimits limits;
  limits.ping_after = 4ms;
  RtEventServer server({.channel = {.queued_events = 2'000}, .limits = limits});
  const auto consumer = make_consumer();
  server.connect(consumer, wants(filters::event(20)));
  const auto supplier = server.supplier();
  for (std::int32_t i = 1; i <= 2'000; ++i) supplier->push({event(20, i)});
  ASSERT_TRUE(consumer->has(2'000));
  EXPECT_EQ(consumer->numbers(), numbers_from(1, 2'000));
}

TEST(RtEventConsumers, ThatDoNotExistAreDropped) {
  ServiceLimits limits;
  limits.ping_after = 20ms;
  std::mutex mutex;
  std::string told;
  RtEventServer server({.limits = limits, .report = [&](const std::string& text) {
                          const std::lock_guard lock(mutex);
                          told += text;
                        }});
  const auto gone = server.object<RtecEventComm::PushConsumer>(make_consumer());
  const auto proxy = server.channel->for_consumers()->obtain_push_supplier();
  proxy->connect_push_consumer(gone, wants(filters::event(20)));
  const auto kept = make_consumer();
  server.connect(kept, wants(filters::event(20)));
  server.clients->deactivate_object(server.clients->reference_to_id(gone));
  EXPECT_TRUE(eventually([&] { return server.state().dead() == 1; }));
  EXPECT_TRUE(proxy->_non_existent());
  server.supplier()->push({event(20, 1)});
  EXPECT_TRUE(kept->has(1));
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return told.find("does not exist or does not answer") != std::string::npos;
  }));
}

TEST(RtEventConsumers, ThatCannotBeReachedAreDropped) {
  ServiceLimits limits;
  limits.give_up_after = 100ms;
  RtEventServer server({.limits = limits});
  const auto other = make_orb({"-ORBListenEndpoints", RtEventServer::loopback}, "other");
  const auto poa = root_poa(other);
  const auto consumer = make_consumer();
  const std::string reference = other->object_to_string(poa->id_to_reference(poa->activate_object(consumer)));
  poa->the_POAManager()->activate();
  server.channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(
      IDL::traits<RtecEventComm::PushConsumer>::narrow(server.client->string_to_object(reference)),
      wants(filters::event(20)));
  const auto kept = make_consumer();
  server.connect(kept, wants(filters::event(20)));
  const auto supplier = server.supplier();
  supplier->push({event(20, 1)});
  ASSERT_TRUE(consumer->has(1));
  other->destroy();
  std::size_t pushed = 1;
  EXPECT_TRUE(eventually([&] {
    supplier->push({event(20, 2)});
    ++pushed;
    return server.state().dead() == 1;
  }));
  EXPECT_TRUE(kept->has(pushed));
}

TEST(RtEventConsumers, ThatDisconnectDuringAnEventGetNoMore) {
  RtEventServer server;
  CORBA::object_reference<admin::ProxyPushSupplier> proxy;
  const auto consumer =
      make_consumer([&](const RtecEventComm::EventSet&) { proxy->disconnect_push_supplier(); });
  proxy = server.channel->for_consumers()->obtain_push_supplier();
  proxy->connect_push_consumer(server.object<RtecEventComm::PushConsumer>(consumer),
                               wants(filters::event(20)));
  const auto kept = make_consumer();
  server.connect(kept, wants(filters::event(20)));
  const auto supplier = server.supplier();
  supplier->push({event(20, 1)});
  ASSERT_TRUE(eventually([&] { return server.state().proxies() == 2; }));
  supplier->push({event(20, 2)});
  ASSERT_TRUE(kept->has(2));
  EXPECT_EQ(consumer->numbers(), Numbers{1});
}

TEST(RtEventConsumers, MayDestroyTheChannelDuringAnEvent) {
  RtEventServer server;
  const auto channel = server.channel;
  const auto consumer = make_consumer([channel](const RtecEventComm::EventSet&) {
    if (!channel->_non_existent()) channel->destroy();
  });
  server.connect(consumer, wants(filters::event(20)));
  const auto supplier = server.supplier();
  for (int i = 0; i < 100; ++i) supplier->push({event(20, 1)});
  EXPECT_TRUE(eventually([&] { return consumer->disconnects == 1; }));
  EXPECT_TRUE(supplier->_non_existent());
}

// A consumer of the service's own process, whose call is in the level's thread itself.
TEST(RtEventConsumers, InTheSameProcessMayDisconnectDuringAnEvent) {
  RtEventServer server;
  const auto root = root_poa(server.server);
  CORBA::object_reference<admin::ProxyPushSupplier> proxy =
      server.service->reference()->for_consumers()->obtain_push_supplier();
  const auto consumer =
      make_consumer([&](const RtecEventComm::EventSet&) { proxy->disconnect_push_supplier(); });
  proxy->connect_push_consumer(IDL::traits<RtecEventComm::PushConsumer>::narrow(
                                   root->id_to_reference(root->activate_object(consumer))),
                               wants(filters::event(20)));
  const auto supplier = server.supplier();
  supplier->push({event(20, 1), event(20, 2)});
  EXPECT_TRUE(eventually([&] { return server.state().proxies() == 1; }));
  EXPECT_EQ(consumer->numbers(), Numbers{1});
}

// The exception of a oneway call in the process reaches the service.
TEST(RtEventConsumers, InTheSameProcessMayDisconnectAndThrow) {
  RtEventServer server;
  const auto root = root_poa(server.server);
  const auto supplier = server.supplier();
  for (int i = 0; i < 20; ++i) {
    CORBA::object_reference<admin::ProxyPushSupplier> proxy =
        server.service->reference()->for_consumers()->obtain_push_supplier();
    const auto consumer = make_consumer([&](const RtecEventComm::EventSet&) {
      proxy->disconnect_push_supplier();
      throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO);
    });
    proxy->connect_push_consumer(IDL::traits<RtecEventComm::PushConsumer>::narrow(
                                     root->id_to_reference(root->activate_object(consumer))),
                                 wants(filters::event(20)));
    supplier->push({event(20, i)});
    ASSERT_TRUE(eventually([&] { return server.state().proxies() == 1; }));
  }
}

TEST(RtEventClients, WithDeepOrLongFiltersGetTypeError) {
  RtEventServer server;
  const auto object = server.object<RtecEventComm::PushConsumer>(make_consumer());
  const auto raised = [&](const Entries& entries) {
    const auto proxy = server.channel->for_consumers()->obtain_push_supplier();
    const std::string name = raised_by([&] { proxy->connect_push_consumer(object, wants(entries)); });
    proxy->disconnect_push_supplier();
    return name;
  };
  Entries deep(10'000, {takt::rt_events::disjunction, 1});
  deep.push_back({20});
  EXPECT_EQ(raised(deep), "TypeError");
  EXPECT_EQ(raised(Entries(10'000, {20})), "TypeError");
  EXPECT_EQ(raised(Entries(200, {takt::rt_events::negation})), "TypeError");
  EXPECT_EQ(raised({{takt::rt_events::conjunction, -1}}), "TypeError");
  EXPECT_EQ(raised({{takt::rt_events::once, 0, ~std::uint64_t{0}}}), "TypeError");
  EXPECT_EQ(raised({}), "nothing");  // accepts no event
  EXPECT_EQ(server.state().proxies(), 0u);
}

TEST(RtEventClients, MayHaveTenThousandProxies) {
  RtEventServer server;
  std::vector<CORBA::object_reference<admin::ProxyPushConsumer>> all;
  const auto suppliers = server.channel->for_suppliers();
  for (int i = 0; i < 10'000; ++i) all.push_back(suppliers->obtain_push_consumer());
  EXPECT_THROW(suppliers->obtain_push_consumer(), CORBA::IMP_LIMIT);
  EXPECT_EQ(server.state().proxies(), 10'000u);
  for (int i = 0; i < 5'000; ++i) all[static_cast<std::size_t>(i)]->disconnect_push_consumer();
  EXPECT_EQ(server.state().proxies(), 5'000u);
  server.channel->destroy();
  EXPECT_TRUE(eventually([&] { return server.state().proxies() == 0; }));
}

// Half of the threads connect and disconnect consumers while the others push.
TEST(RtEventClients, ComeAndGoWhileEventsPass) {
  RtEventServer server;
  const auto kept = make_consumer();
  server.connect(kept, wants(filters::event(20)));
  std::atomic<bool> ends{false};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      const auto consumer = make_consumer();
      const auto object = server.object<RtecEventComm::PushConsumer>(consumer);
      for (int i = 0; i < 100; ++i) {
        const auto proxy = server.channel->for_consumers()->obtain_push_supplier();
        proxy->connect_push_consumer(object, wants(filters::event(20)));
        proxy->disconnect_push_supplier();
      }
      ends = true;
    });
  std::size_t pushed = 0;
  const auto supplier = server.supplier();
  for (; !ends || pushed < 100; ++pushed) {
    supplier->push({event(20, static_cast<std::int32_t>(pushed + 1))});
    ASSERT_TRUE(kept->has(pushed + 1));
  }
  threads.clear();  // joins them
  EXPECT_EQ(kept->numbers(), numbers_from(1, pushed));
  EXPECT_EQ(server.state().proxies(), 2u);
}

}  // namespace
}  // namespace feature
