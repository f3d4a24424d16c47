// Consumers that hang, die, throw or disconnect during an event, and what they cost the others: nothing.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <mutex>

#include <gtest/gtest.h>

#include "../answering_port.h"
#include "../event_clients.h"
#include "../kept_port.h"
#include "../silent_port.h"
#include "addresses/address_in.h"
#include "events/channel/registry.h"
#include "served.h"

namespace feature {
namespace {

using takt::events::Discard;
using takt::events::EventService;
using takt::events::Limits;

EventService::Options with_limits(const std::function<void(Limits&)>& change) {
  EventService::Options options;
  change(options.limits);
  return options;
}

TEST(EventConsumers, ThatHangKeepNoThreadThatOthersNeed) {
  EventServer server(with_limits([](Limits& limits) {
    limits.threads = 2;
    limits.slow_after = 5ms;
  }));
  const Channel channel = server.channel();
  Gate gate;
  for (int i = 0; i < 10; ++i)
    server.connect(channel, make_consumer([&](const CORBA::Any&) { gate.pass(); }));
  const auto prompt = make_consumer();
  server.connect(channel, prompt);
  const auto supplier = server.supplier(channel);
  for (std::int32_t i = 1; i <= 300; ++i) supplier->push(number(i));
  ASSERT_TRUE(prompt->receives(300));
  EXPECT_EQ(prompt->numbers(), numbers(1, 300));
  EXPECT_EQ(gate.waiting(), 10);
  EXPECT_TRUE(eventually([&] { return server.service->look().threads.blocked == 10; }));
  EXPECT_LE(server.service->look().threads.threads, 12u);
  gate.open();
}

TEST(EventConsumers, ThatLeaveAndHangKeepFewThreadsAndLittleMemory) {
  EventServer server(with_limits([](Limits& limits) {
    limits.threads = 2;
    limits.max_threads = 32;
    limits.slow_after = 5ms;
    limits.call_timeout = limits.farewell_timeout = 30s;
    limits.farewells = 10;
  }));
  const Channel channel = server.channel();
  const SilentPort silent;
  for (int i = 0; i < 30; ++i) {
    const auto proxy = channel->for_consumers()->obtain_push_supplier();
    proxy->connect_push_consumer(IDL::traits<CosEventComm::PushConsumer>::unchecked_narrow(
        server.client->string_to_object(silent.object(i))));
    proxy->disconnect_push_supplier();
  }
  EXPECT_GE(server.service->look().threads.dropped, 18u);  // two threads tell clients, and ten clients wait
  const auto prompt = make_consumer();
  server.connect(channel, prompt);
  const auto supplier = server.supplier(channel);
  for (std::int32_t i = 1; i <= 100; ++i) supplier->push(number(i));
  ASSERT_TRUE(prompt->receives(100));
  EXPECT_LE(server.service->look().threads.ready, 10u);
}

// A client that has not answered yet gets no thread that others need.
TEST(EventConsumers, ThatNeverAnswerKeepHalfOfTheThreads) {
  EventServer server(with_limits([](Limits& limits) {
    limits.threads = 2;
    limits.max_threads = 8;
    limits.slow_after = 5ms;
    limits.call_timeout = 30s;
  }));
  const Channel channel = server.channel();
  const auto prompt = make_consumer();
  server.connect(channel, prompt);
  const auto supplier = server.supplier(channel);
  supplier->push(number(1));
  ASSERT_TRUE(prompt->receives(1));
  const SilentPort silent;
  for (int i = 0; i < 20; ++i)
    channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(
        IDL::traits<CosEventComm::PushConsumer>::unchecked_narrow(
            server.client->string_to_object(silent.object(i))));
  for (std::int32_t i = 2; i <= 100; ++i) supplier->push(number(i));
  ASSERT_TRUE(prompt->receives(100));
  EXPECT_TRUE(eventually([&] { return server.service->look().threads.blocked == 4; }));
  EXPECT_GE(server.service->look().threads.ready, 16u);
  supplier->push(number(101));
  EXPECT_TRUE(prompt->receives(101));
}

// Consumers that have answered before hang. Returns the time of the next event to one that does not. Any test
// that waits for a call to end takes longer than eventually().
std::chrono::milliseconds delay_beside_hanging(int consumers, std::uint32_t max_threads) {
  EventServer server(with_limits([max_threads](Limits& limits) {
    limits.max_threads = max_threads;
    limits.call_timeout = 30s;
  }));
  const Channel channel = server.channel();
  AnsweringPort others;
  const auto connect_other = [&](int i) {
    channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(
        IDL::traits<CosEventComm::PushConsumer>::unchecked_narrow(
            server.client->string_to_object(others.object(i))));
  };
  for (int i = 0; i < consumers; ++i) connect_other(i);
  const auto prompt = make_consumer();
  server.connect(channel, prompt);
  const auto supplier = server.supplier(channel);
  supplier->push(number(1));
  EXPECT_TRUE(prompt->receives(1));
  EXPECT_TRUE(eventually([&] { return others.answers() == consumers; }));
  others.hang();
  const auto begun = std::chrono::steady_clock::now();
  supplier->push(number(2));
  EXPECT_TRUE(prompt->receives(2));
  const auto delay = std::chrono::steady_clock::now() - begun;
  for (std::int32_t i = 3; i <= 100; ++i) supplier->push(number(i));
  EXPECT_TRUE(prompt->receives(100));
  std::cout << consumers << " of " << max_threads << ": " << delay / 1us << " us\n";
  return std::chrono::duration_cast<std::chrono::milliseconds>(delay);
}

TEST(EventConsumers, ThatAllHangAtOnceKeepFewThreads) {
  delay_beside_hanging(16, 256);
  delay_beside_hanging(32, 16);
}

// Their ORBs answer all the same whether they exist. Waiting for one of their calls takes longer than
// eventually().
TEST(EventConsumers, WhoseOperationsHangAtOnceKeepNoThreadThatOthersNeed) {
  EventServer server(with_limits([](Limits& limits) {
    limits.max_threads = 8;
    limits.slow_after = 5ms;
    limits.call_timeout = 30s;
    limits.ask_timeout = 10s;  // on a slow machine a prompt one may take longer than by default
  }));
  const Channel channel = server.channel();
  Gate gate;
  std::atomic<bool> hang{false};
  std::vector<CORBA::servant_reference<Consumer>> others;
  for (int i = 0; i < 20; ++i) {
    others.push_back(make_consumer([&](const CORBA::Any&) {
      if (hang) gate.pass();
    }));
    server.connect(channel, others.back());
  }
  const auto prompt = make_consumer();
  server.connect(channel, prompt);
  const auto supplier = server.supplier(channel);
  supplier->push(number(1));
  for (const auto& each : others) ASSERT_TRUE(each->receives(1));
  ASSERT_TRUE(prompt->receives(1));
  hang = true;
  supplier->push(number(2));
  EXPECT_TRUE(prompt->receives(2));
  EXPECT_TRUE(eventually([&] { return gate.waiting() == 20; }));
  for (std::int32_t i = 3; i <= 100; ++i) supplier->push(number(i));
  EXPECT_TRUE(prompt->receives(100));
  EXPECT_GE(server.service->look().threads.hanging, 12u);
  gate.open();
  for (const auto& each : others) EXPECT_TRUE(each->receives(100));
}

// There are more of them than threads. If a prompt consumer waited for them, most events took 150 ms.
TEST(EventConsumers, ThatAreSlowDelayNoPromptOne) {
  EventServer server(with_limits([](Limits& limits) { limits.max_threads = 8; }));
  const Channel channel = server.channel();
  for (int i = 0; i < 40; ++i)
    server.connect(channel, make_consumer([](const CORBA::Any&) { std::this_thread::sleep_for(30ms); }));
  const auto prompt = make_consumer();
  server.connect(channel, prompt);
  const auto supplier = server.supplier(channel);
  int late = 0;
  constexpr int rounds = 10;
  for (std::int32_t i = 1; i <= rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    supplier->push(number(i));
    ASSERT_TRUE(prompt->receives(static_cast<std::size_t>(i)));
    late += std::chrono::steady_clock::now() - begin > 75ms;
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_LE(late, rounds / 2);
}

TEST(EventConsumers, ThatAreSlowAreNamedWithTheirPendingEvents) {
  EventServer server;
  const Channel channel = server.channel();
  Gate gate;
  const auto slow = make_consumer([&](const CORBA::Any&) { gate.pass(); });
  const auto reference = server.object<CosEventComm::PushConsumer>(slow);
  channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(reference);
  const auto supplier = server.supplier(channel);
  for (std::int32_t i = 0; i < 50; ++i) supplier->push(number(i));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  const auto state = server.first_channel();
  EXPECT_EQ(state.pending, 49u);
  ASSERT_EQ(state.proxies.size(), 2u);
  const auto& proxy = state.proxies.front();
  EXPECT_EQ(proxy.pending, 49u);
  EXPECT_TRUE(server.client->string_to_object(proxy.client)->_is_equivalent(reference));
  gate.open();
  EXPECT_TRUE(slow->receives(50));
}

// The event in the consumer's hands, and then those that the queue has room for.
void discards(Discard policy, const std::vector<std::int32_t>& kept) {
  EventServer server;
  takt::events::ChannelSettings settings;
  settings.queued_events = 3;
  settings.discard = policy;
  const Channel channel = server.channel(settings);
  Gate gate;
  const auto slow = make_consumer([&](const CORBA::Any&) { gate.pass(); });
  const auto prompt = make_consumer();
  server.connect(channel, slow);
  const auto supplier = server.supplier(channel);
  supplier->push(number(1));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  server.connect(channel, prompt);
  for (std::int32_t i = 2; i <= 10; ++i) {
    supplier->push(number(i));
    ASSERT_TRUE(prompt->receives(static_cast<std::size_t>(i) - 1));
  }
  EXPECT_EQ(server.first_channel().discarded, 6u);
  gate.open();
  ASSERT_TRUE(slow->receives(4));
  EXPECT_EQ(slow->numbers(), kept);
  EXPECT_EQ(prompt->numbers(), numbers(2, 9));
}

TEST(EventConsumers, ThatAreSlowLoseTheOldestEvents) { discards(Discard::oldest, {1, 8, 9, 10}); }
TEST(EventConsumers, ThatAreSlowLoseTheNewestEvents) { discards(Discard::newest, {1, 2, 3, 4}); }

TEST(EventConsumers, QueuesGrowNoFurtherWhenTheMemoryIsFull) {
  EventServer server(with_limits([](Limits& limits) { limits.queued_bytes = 1 << 20; }));
  const Channel channel = server.channel();
  Gate gate;
  server.connect(channel, make_consumer([&](const CORBA::Any&) { gate.pass(); }));
  const auto prompt = make_consumer();
  server.connect(channel, prompt);
  const auto supplier = server.supplier(channel);
  CORBA::Any large;
  large <<= std::string(100'000, 'x');
  for (std::size_t i = 1; i <= 100; ++i) {
    supplier->push(large);
    ASSERT_TRUE(prompt->receives(i));
  }
  EXPECT_LT(server.service->look().queued_bytes, 2u << 20);
  EXPECT_GT(server.first_channel().discarded, 80u);
  gate.open();
}

TEST(EventConsumers, ThatThrowGetTheNextEvent) {
  EventServer server(with_limits([](Limits& limits) { limits.exceptions_in_a_row = 5; }));
  const Channel channel = server.channel();
  const auto sometimes = make_consumer([](const CORBA::Any& data) {
    std::int32_t value = 0;
    data >>= value;
    if (value % 2) throw CORBA::NO_RESOURCES();
  });
  const auto always = make_consumer([](const CORBA::Any&) { throw std::runtime_error("no"); });
  server.connect(channel, sometimes);
  server.connect(channel, always);
  const auto supplier = server.supplier(channel);
  for (std::int32_t i = 1; i <= 20; ++i) supplier->push(number(i));
  ASSERT_TRUE(sometimes->receives(20));
  EXPECT_EQ(sometimes->numbers(), numbers(1, 20));
  ASSERT_TRUE(eventually([&] { return server.first_channel().dead == 1; }));
  EXPECT_EQ(always->count(), 5u);
  EXPECT_TRUE(eventually([&] { return always->disconnects() == 1; }));
  EXPECT_EQ(server.first_channel().failures, 15u);
}

// Several events are under way to a consumer at once, so that some are taken after one that was refused.
TEST(EventConsumers, ThatRefuseEventsNowAndThenGetTheOthersOnceAndInOrder) {
  EventServer server(with_limits([](Limits& limits) { limits.queued_events = 10'000; }));
  const Channel channel = server.channel();
  std::mutex mutex;
  std::vector<std::int32_t> taken;
  std::int32_t calls = 0;
  const auto consumer = make_consumer([&](const CORBA::Any& data) {
    const std::lock_guard lock(mutex);
    if (++calls % 400 == 0) throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "not now");
    if (calls % 170 == 0) throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO);
    std::int32_t value = 0;
    data >>= value;
    taken.push_back(value);
  });
  server.connect(channel, consumer);
  const auto supplier = server.supplier(channel);
  for (std::int32_t i = 1; i <= 2'000; ++i) supplier->push(number(i));
  ASSERT_TRUE(eventually([&] {
    const auto state = server.first_channel();
    return state.delivered + state.failures == 2'000;
  }));
  const std::lock_guard lock(mutex);
  EXPECT_TRUE(std::ranges::is_sorted(taken));
  EXPECT_EQ(std::ranges::adjacent_find(taken), taken.end()) << "an event came twice";
  EXPECT_EQ(taken.size(), server.first_channel().delivered);
}

TEST(EventConsumers, ThatHangShowTheEventsThatAreUnderWayToThem) {
  EventServer server;
  const Channel channel = server.channel();
  Gate gate;
  std::atomic<bool> hangs{false};
  const auto consumer = make_consumer([&](const CORBA::Any&) {
    if (hangs) gate.pass();
  });
  server.connect(channel, consumer);
  const auto supplier = server.supplier(channel);
  for (std::int32_t i = 0; i < 500; ++i) supplier->push(number(i));
  ASSERT_TRUE(consumer->receives(500));
  hangs = true;
  for (std::int32_t i = 0; i < 50; ++i) supplier->push(number(i));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  const auto shown = [&] { return server.first_channel().pending + server.first_channel().delivered; };
  EXPECT_TRUE(eventually([&] { return shown() == 549; })) << shown();
  gate.open();
  hangs = false;
  EXPECT_TRUE(consumer->receives(550));
}

TEST(EventConsumers, ThatSayTheyAreDisconnectedAreDropped) {
  EventServer server;
  const Channel channel = server.channel();
  const auto consumer = make_consumer([](const CORBA::Any&) { throw CosEventComm::Disconnected(); });
  const auto proxy = server.connect(channel, consumer);
  const auto supplier = server.supplier(channel);
  supplier->push(number(1));
  EXPECT_TRUE(eventually([&] { return proxy->_non_existent(); }));
  EXPECT_EQ(consumer->count(), 1u);
  EXPECT_EQ(server.first_channel().dead, 1u);
}

TEST(EventConsumers, MayDisconnectDuringAnEvent) {
  EventServer server;
  const Channel channel = server.channel();
  CORBA::object_reference<CosEventChannelAdmin::ProxyPushSupplier> proxy;
  const auto consumer = make_consumer([&](const CORBA::Any&) { proxy->disconnect_push_supplier(); });
  const auto supplier = server.supplier(channel);
  proxy = server.connect(channel, consumer);
  for (std::int32_t i = 1; i <= 10; ++i) {
    supplier->push(number(i));
    if (i == 1) {
      ASSERT_TRUE(consumer->receives(1));
      ASSERT_TRUE(eventually([&] { return consumer->disconnects() == 1; }));
    }
  }
  EXPECT_EQ(consumer->count(), 1u);
  EXPECT_EQ(server.service->look().proxies, 1u);
}

TEST(EventConsumers, MayDestroyTheChannelDuringAnEvent) {
  EventServer server;
  const Channel channel = server.channel();
  const auto consumer = make_consumer([&](const CORBA::Any&) { channel->destroy(); });
  server.connect(channel, consumer);
  server.supplier(channel)->push(number(1));
  EXPECT_TRUE(eventually([&] { return consumer->disconnects() == 1; }));
  EXPECT_TRUE(channel->_non_existent());
}

// The process of a consumer ends: the port refuses connections.
TEST(EventConsumers, ThatDieAreDropped) {
  EventServer server(with_limits([](Limits& limits) { limits.give_up_after = 200ms; }));
  const Channel channel = server.channel();
  const auto prompt = make_consumer(), dying = make_consumer();
  server.connect(channel, prompt);
  const auto supplier = server.supplier(channel);
  {
    const Orb other = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "dying");
    const Poa poa = root_poa(other);
    poa->the_POAManager()->activate();
    const auto reference = poa->id_to_reference(poa->activate_object(dying));
    channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(
        IDL::traits<CosEventComm::PushConsumer>::narrow(
            server.client->string_to_object(other->object_to_string(reference))));
    supplier->push(number(1));
    ASSERT_TRUE(dying->receives(1));
    other->destroy();
  }
  supplier->push(number(2));
  EXPECT_TRUE(eventually([&] { return server.first_channel().dead == 1; }));
  supplier->push(number(3));
  ASSERT_TRUE(prompt->receives(3));
  EXPECT_EQ(server.service->look().proxies, 2u);
}

// A consumer that is out of reach for a while misses nothing.
TEST(EventConsumers, ThatComeBackGetTheEventsThatWait) {
  EventServer server;
  const Channel channel = server.channel();
  const KeptPort port;
  const auto consumer = make_consumer();
  const auto serve = [&] {
    const Orb other = make_orb({"-ORBListenEndpoints", port.endpoint()}, "consumer");
    const Poa root = root_poa(other);
    using namespace PortableServer;
    const Poa poa = root->create_POA("kept", root->the_POAManager(),
                                     {root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT),
                                      root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)});
    poa->activate_object_with_id({1}, consumer);
    root->the_POAManager()->activate();
    const auto reference = other->object_to_string(poa->id_to_reference({1}));
    return std::pair(other, reference);
  };
  const auto supplier = server.supplier(channel);
  const auto [first, reference] = serve();
  channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(
      IDL::traits<CosEventComm::PushConsumer>::narrow(server.client->string_to_object(reference)));
  supplier->push(number(1));
  ASSERT_TRUE(consumer->receives(1));
  first->destroy();
  for (std::int32_t i = 2; i <= 20; ++i) supplier->push(number(i));
  EXPECT_TRUE(eventually([&] {
    return std::ranges::any_of(server.first_channel().proxies, &takt::events::ProxyState::suspect);
  }));
  const auto [second, same] = serve();
  ASSERT_TRUE(consumer->receives(20));
  EXPECT_EQ(consumer->numbers(), numbers(1, 20));
  EXPECT_EQ(server.first_channel().dead, 0u);
  second->destroy();
}

TEST(EventConsumers, ThatAreSilentAndGoneAreFoundByAsking) {
  EventServer server(with_limits([](Limits& limits) { limits.ping_after = 40ms; }));
  const Channel channel = server.channel();
  const auto consumer = make_consumer(), stays = make_consumer();
  server.connect(channel, stays);
  const auto id = server.clients->activate_object(consumer);
  channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(
      IDL::traits<CosEventComm::PushConsumer>::narrow(server.clients->id_to_reference(id)));
  const auto pushing = CORBA::make_reference<PushingSupplier>();
  const auto pushing_id = server.clients->activate_object(pushing);
  channel->for_suppliers()->obtain_push_consumer()->connect_push_supplier(
      IDL::traits<CosEventComm::PushSupplier>::narrow(server.clients->id_to_reference(pushing_id)));
  EXPECT_EQ(server.service->look().proxies, 3u);
  server.clients->deactivate_object(id);
  server.clients->deactivate_object(pushing_id);
  EXPECT_TRUE(eventually([&] { return server.service->look().proxies == 1; }));
  EXPECT_EQ(server.first_channel().dead, 2u);
  server.supplier(channel)->push(number(1));
  EXPECT_TRUE(stays->receives(1));
}

TEST(EventProxies, AreBounded) {
  EventServer server(with_limits([](Limits& limits) {
    limits.proxies = 10;
    limits.channels = 2;
    limits.reference_bytes = 300;
  }));
  const Channel channel = server.channel();
  const auto proxy = channel->for_suppliers()->obtain_push_consumer();
  for (int i = 0; i < 9; ++i) channel->for_consumers()->obtain_push_supplier();
  EXPECT_THROW(channel->for_consumers()->obtain_push_supplier(), CORBA::IMP_LIMIT);
  EXPECT_THROW(channel->for_consumers()->obtain_pull_supplier(), CORBA::IMP_LIMIT);
  EXPECT_THROW(channel->for_suppliers()->obtain_push_consumer(), CORBA::IMP_LIMIT);
  EXPECT_THROW(channel->for_suppliers()->obtain_pull_consumer(), CORBA::IMP_LIMIT);
  server.factory->create_channel("second");
  EXPECT_THROW(server.factory->create_channel("third"), CORBA::IMP_LIMIT);
  EXPECT_THROW(server.factory->create_channel(std::string(1025, 'x')), CORBA::IMP_LIMIT);
  const auto long_one = IDL::traits<CosEventComm::PushSupplier>::unchecked_narrow(
      server.client->string_to_object("corbaloc:iiop:1.2@127.0.0.1:9/" + std::string(400, 'x')));
  EXPECT_THROW(proxy->connect_push_supplier(long_one), CORBA::IMP_LIMIT);
  channel->destroy();
  EXPECT_EQ(server.service->look().proxies, 0u);
}

TEST(EventProxies, PullIsBounded) {
  EventServer server(with_limits([](Limits& limits) {
    limits.waiting_pulls = 1;
    limits.pull_patience = 200ms;
  }));
  const Channel channel = server.channel();
  const auto proxy = channel->for_consumers()->obtain_pull_supplier();
  proxy->connect_pull_consumer(nullptr);
  std::string of_first;
  std::thread first([&] { of_first = raised_by([&] { proxy->pull(); }); });
  ASSERT_TRUE(eventually([&] { return server.service->look().waiting_pulls == 1; }));
  try {
    proxy->pull();
    ADD_FAILURE();
  } catch (const CORBA::TRANSIENT& refused) {
    EXPECT_NE(refused.detail().find("raised by the server"), std::string::npos);
  }
  first.join();
  EXPECT_EQ(of_first, "TRANSIENT");
  EXPECT_EQ(server.service->look().waiting_pulls, 0u);
}

TEST(EventProxies, PullOfAnEarlierConnectionTakesNoEvent) {
  EventServer server(with_limits([](Limits& limits) { limits.reconnects = true; }));
  const Channel channel = server.channel();
  const auto pulled = channel->for_consumers()->obtain_pull_supplier();
  pulled->connect_pull_consumer(nullptr);
  std::string ended;
  std::thread earlier([&] { ended = raised_by([&] { pulled->pull(); }); });
  EXPECT_TRUE(eventually([&] { return server.service->look().waiting_pulls == 1; }));
  pulled->connect_pull_consumer(nullptr);
  server.supplier(channel)->push(number(1));
  earlier.join();
  EXPECT_EQ(ended, "TRANSIENT");
  bool has_event = false;
  EXPECT_EQ(pulled->try_pull(has_event), number(1));
  EXPECT_TRUE(has_event);
}

TEST(EventSuppliers, ThatHangOrThrowWhenTheyArePulledCostTheOthersNothing) {
  EventServer server(with_limits([](Limits& limits) {
    limits.threads = 1;
    limits.slow_after = 5ms;
  }));
  takt::events::ChannelSettings settings;
  settings.pull_period = 1ms;
  const Channel channel = server.channel(settings);
  Gate gate;
  class Hanging final : public virtual CORBA::servant_traits<CosEventComm::PullSupplier>::base_type {
   public:
    explicit Hanging(Gate& gate) : gate_(gate) {}
    CORBA::Any pull() override { return {}; }
    CORBA::Any try_pull(bool&) override {
      gate_.pass();
      throw CORBA::NO_RESOURCES();
    }
    void disconnect_pull_supplier() override {}

   private:
    Gate& gate_;
  };
  const auto consumer = make_consumer();
  server.connect(channel, consumer);
  for (int i = 0; i < 5; ++i)
    channel->for_suppliers()->obtain_pull_consumer()->connect_pull_supplier(
        server.object<CosEventComm::PullSupplier>(CORBA::make_reference<Hanging>(gate)));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 5; }));
  channel->for_suppliers()->obtain_pull_consumer()->connect_pull_supplier(
      server.object<CosEventComm::PullSupplier>(CORBA::make_reference<PulledSupplier>(50)));
  ASSERT_TRUE(consumer->receives(50));
  gate.open();
  EXPECT_TRUE(eventually([&] { return server.first_channel().dead == 5; }))
      << "a hundred exceptions in a row";
}

// destroy() can be called between the creation of a channel and the registration of its name.
TEST(EventRegistry, DoesNotRegisterTheNameOfADestroyedChannel) {
  OrbPair orbs;
  takt::events::Registry registry(*orbs.server, Limits(),
                                  std::make_unique<takt::events::Journal>(nullptr, nullptr));
  takt::events::ChannelSettings settings;
  settings.name = "removed";
  const auto channel = *registry.make_channel(settings);
  const auto object = orbs.root->id_to_reference(orbs.root->activate_object(make_consumer()));
  const auto named = orbs.client->string_to_object(
      "corbaloc::" + takt::addresses::address_in(takt::addresses::ior_of(object)) + "/removed");
  registry.register_name(*channel, object);
  EXPECT_FALSE(named->_non_existent());
  ASSERT_TRUE(registry.destroy_channel(channel->id()));
  EXPECT_TRUE(named->_non_existent());
  registry.register_name(*channel, object);
  EXPECT_TRUE(named->_non_existent());
}

TEST(EventService, EndsWhileConsumersHang) {
  Gate gate;
  EventServer server(with_limits([](Limits& limits) { limits.call_timeout = 200ms; }));
  const Channel channel = server.channel();
  for (int i = 0; i < 3; ++i) server.connect(channel, make_consumer([&](const CORBA::Any&) { gate.pass(); }));
  server.supplier(channel)->push(number(1));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 3; }));
  const auto pulls = channel->for_consumers()->obtain_pull_supplier();
  pulls->connect_pull_consumer(nullptr);
  std::string of_pull;
  std::thread puller([&] { of_pull = raised_by([&] { pulls->pull(); }); });
  ASSERT_TRUE(eventually([&] { return server.service->look().waiting_pulls == 1; }));
  server.service->stop();
  puller.join();
  EXPECT_EQ(of_pull, "TRANSIENT") << "the consumer stays connected, for a restart";
  gate.open();
}

}  // namespace
}  // namespace feature
