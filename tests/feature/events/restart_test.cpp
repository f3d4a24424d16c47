// Channels, proxies and connections are there again after a restart, also after kill -9 at any moment.
#include <gtest/gtest.h>

#include <random>

#include "../folder.h"
#include "../kept_port.h"
#include "events/channel/registry.h"
#include "process.h"
#include "served.h"

namespace feature {
namespace {

using takt::events::EventService;

TEST(EventRestart, ConnectsTheClientsAgain) {
  const Folder folder;
  const KeptPort port;
  const Orb own = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "clients");
  const Poa poa = root_poa(own);
  poa->the_POAManager()->activate();
  const auto consumer = make_consumer();
  const auto supplier = CORBA::make_reference<PulledSupplier>(5);  // fewer than the queue of 7 holds
  const EventService::Options options{.store = folder / "events.db", .limits = {.reconnects = true}};
  std::string pushed, pulls, unconnected, gone, destroyed;
  {
    EventServer server(options, std::to_string(port.port()));
    takt::events::ChannelSettings settings;
    settings.name = "weather";
    settings.pull_period = 1ms;
    settings.queued_events = 7;
    const Channel channel = server.channel(settings);
    const auto text = [&](const auto& object) { return server.client->object_to_string(object); };
    const auto pushes = channel->for_consumers()->obtain_push_supplier();
    pushes->connect_push_consumer(server.object<CosEventComm::PushConsumer>(make_consumer()));
    pushes->connect_push_consumer(  // the client that the restarted service finds
        IDL::traits<CosEventComm::PushConsumer>::narrow(server.client->string_to_object(
            own->object_to_string(poa->id_to_reference(poa->activate_object(consumer))))));
    const auto pull = channel->for_consumers()->obtain_pull_supplier();
    pull->connect_pull_consumer(nullptr);
    pulls = text(pull);
    pushed = text(server.supplier(channel));
    unconnected = text(channel->for_suppliers()->obtain_push_consumer());
    const auto leaving = server.supplier(channel);
    leaving->disconnect_push_consumer();
    gone = text(leaving);
    const Channel other = server.factory->create_channel("other");
    destroyed = text(server.supplier(other));
    other->destroy();
  }
  EventServer server(options, std::to_string(port.port()));
  const auto object = [&](const std::string& text) { return server.client->string_to_object(text); };
  EXPECT_TRUE(object(gone)->_non_existent());
  EXPECT_TRUE(object(destroyed)->_non_existent());
  EXPECT_THROW(server.factory->join_channel("other"), event::EventChannelNotFound);
  const auto channel = server.factory->join_channel("weather");
  EXPECT_EQ(server.first_channel().settings.queued_events, 7u);
  EXPECT_EQ(server.first_channel().settings.pull_period, 1ms);
  EXPECT_EQ(server.service->look().proxies, 4u);
  using CosEventChannelAdmin::ProxyPushConsumer;
  const auto push = IDL::traits<ProxyPushConsumer>::narrow(object(pushed));
  push->connect_push_supplier(nullptr);
  IDL::traits<ProxyPushConsumer>::narrow(object(unconnected))->connect_push_supplier(nullptr);
  push->push(number(1));
  ASSERT_TRUE(consumer->receives(1));
  EXPECT_EQ(IDL::traits<CosEventChannelAdmin::ProxyPullSupplier>::narrow(object(pulls))->pull(), number(1));
  // A supplier that is pulled from is asked again.
  channel->for_suppliers()->obtain_pull_consumer()->connect_pull_supplier(
      IDL::traits<CosEventComm::PullSupplier>::narrow(server.client->string_to_object(
          own->object_to_string(poa->id_to_reference(poa->activate_object(supplier))))));
  EXPECT_TRUE(consumer->receives(6));
  own->destroy();
}

TEST(EventRestart, PullsFromSuppliersAgain) {
  const Folder folder;
  const KeptPort port;
  const Orb own = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "clients");
  const Poa poa = root_poa(own);
  const auto supplier = CORBA::make_reference<PulledSupplier>(10);
  const std::string reference = own->object_to_string(poa->id_to_reference(poa->activate_object(supplier)));
  EventService::Options options{.store = folder / "events.db"};
  options.limits.call_timeout = 300ms;
  {
    EventServer server(options, std::to_string(port.port()));
    takt::events::ChannelSettings settings;
    settings.pull_period = 1ms;
    server.channel(settings)->for_suppliers()->obtain_pull_consumer()->connect_pull_supplier(
        IDL::traits<CosEventComm::PullSupplier>::unchecked_narrow(
            server.client->string_to_object(reference)));
  }
  EventServer server(options, std::to_string(port.port()));
  // Until now, requests to the supplier waited. Those of the first run take an event each.
  poa->the_POAManager()->activate();
  EXPECT_TRUE(eventually([&] { return server.first_channel().received >= 5; }));
  own->destroy();
}

// The supplier is asked before all of the 20,000 proxies are there.
TEST(EventRestart, WhatIsPulledAtOnceGoesToAllConsumers) {
  using takt::events::ProxyKind;
  constexpr std::uint64_t last = 20'000;
  OrbPair orbs;
  const auto supplier =
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<PulledSupplier>(1)));
  takt::events::Stored stored;
  stored.channels.push_back({.id = 1, .settings = {}});
  stored.proxies.push_back({.id = 1,
                            .channel = 1,
                            .kind = ProxyKind::pull_consumer,
                            .connected = true,
                            .client = orbs.server->object_to_string(supplier)});
  for (std::uint64_t id = 2; id <= last; ++id)
    stored.proxies.push_back(
        {.id = id, .channel = 1, .kind = ProxyKind::pull_supplier, .connected = true, .client = {}});
  takt::events::Registry registry(*orbs.server, takt::events::Limits(),
                                  std::make_unique<takt::events::Journal>(nullptr, nullptr));
  registry.restore(stored);
  const auto channel = registry.channel(1);
  ASSERT_TRUE(eventually([&] { return channel->look_at_counts().received == 1; }));
  const auto proxy = registry.proxy(last, ProxyKind::pull_supplier);
  EXPECT_TRUE(eventually([&] { return proxy->counts().pending == 1; }));
  registry.stop();
}

TEST(EventRestart, OneProcessHasTheStore) {
  const Folder folder;
  EventServer server({.store = folder / "events.db"});
  const Orb other = make_orb({}, "second");
  const auto refused = EventService::start(other, {.store = folder / "events.db"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("events.db: another process has it open"), std::string::npos)
      << refused.error();
  other->destroy();
}

constexpr int rounds = 12, writers = 4;
enum class State { unconnected, connected, gone };

// Objects that only one client changes: the acknowledged state, and the one that the service was writing
// when it was killed.
struct Written {
  std::string reference;
  State acknowledged = State::unconnected, under_way = State::unconnected;
};

class Writer {
 public:
  Writer(int number, std::string address)
      : prefix_("c" + std::to_string(number) + "-"), address_(std::move(address)) {}

  // Makes and removes channels and proxies until the service is gone.
  void write(CORBA::ORB& orb) {
    const auto factory =
        IDL::traits<omniEvents::EventChannelFactory>::unchecked_narrow(orb.string_to_object(address_));
    try {
      while (true) {
        const std::string name = prefix_ + std::to_string(++count_);
        const auto channel = factory->create_channel(name);
        channels_.push_back({name, State::connected, State::connected});
        const auto suppliers = channel->for_suppliers();
        for (int i = 0; i < 3; ++i) {
          const auto proxy = suppliers->obtain_push_consumer();
          Written& written = proxies_.emplace_back(orb.object_to_string(proxy));
          if (i == 0) continue;
          change(written, State::connected, [&] { proxy->connect_push_supplier(nullptr); });
          if (i == 2) change(written, State::gone, [&] { proxy->disconnect_push_consumer(); });
        }
        if (count_ % 3) continue;
        for (std::size_t i = proxies_.size() - 3; i < proxies_.size(); ++i)
          proxies_[i].under_way = State::gone;
        change(channels_.back(), State::gone, [&] { channel->destroy(); });
        for (std::size_t i = proxies_.size() - 3; i < proxies_.size(); ++i)
          proxies_[i].acknowledged = State::gone;
      }
    } catch (const CORBA::SystemException&) {
    }
  }
  // Compares the record with the service.
  void check(CORBA::ORB& orb, std::uint64_t& checked) {
    const auto factory =
        IDL::traits<omniEvents::EventChannelFactory>::unchecked_narrow(orb.string_to_object(address_));
    for (Written& each : channels_) {
      State found = State::connected;
      try {
        factory->join_channel(each.reference);
      } catch (const event::EventChannelNotFound&) {
        found = State::gone;
      }
      compare(each, found, checked);
    }
    for (Written& each : proxies_) {
      using CosEventChannelAdmin::ProxyPushConsumer;
      const auto proxy =
          IDL::traits<ProxyPushConsumer>::unchecked_narrow(orb.string_to_object(each.reference));
      State found = State::gone;
      try {
        proxy->connect_push_supplier(nullptr);
        found = State::unconnected;
      } catch (const CosEventChannelAdmin::AlreadyConnected&) {
        found = State::connected;
      } catch (const CORBA::OBJECT_NOT_EXIST&) {
      }
      compare(each, found, checked);
    }
    // Objects that were found right in one round are not checked again in the next.
    channels_.clear();
    proxies_.clear();
  }
  int count() const { return count_; }

 private:
  template <class Call>
  static void change(Written& written, State to, const Call& call) {
    written.under_way = to;
    call();
    written.acknowledged = to;
  }
  static void compare(const Written& written, State found, std::uint64_t& checked) {
    EXPECT_TRUE(found == written.acknowledged || found == written.under_way)
        << written.reference << ": " << static_cast<int>(found) << ", acknowledged was "
        << static_cast<int>(written.acknowledged);
    ++checked;
  }

  const std::string prefix_, address_;
  std::vector<Written> channels_, proxies_;
  int count_ = 0;
};

TEST(EventKilled, HasAllThatItHasAcknowledged) {
  const Folder folder;
  const KeptPort port;
  const std::string address = "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port.port()) + "/omniEvents";
  const std::vector<std::string> command{"events",   "serve",        "--store", folder / "events.db",
                                         "--listen", port.endpoint()};
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::minstd_rand random(seed);
  std::vector<Writer> all;
  for (int i = 0; i < writers; ++i) all.emplace_back(i, address);
  std::uint64_t checked = 0;
  const Orb own = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "clients");
  const Poa poa = root_poa(own);
  poa->the_POAManager()->activate();
  const auto consumer = make_consumer();
  const auto reference = poa->id_to_reference(poa->activate_object(consumer));
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    Process service(TAKT_COMMAND, command);
    ASSERT_NE(service.line(), "") << "the service has not started in round " << round;
    const auto orb = make_orb({"-ORBRoundTripTimeout", "20s"}, "writer");
    const auto factory = IDL::traits<omniEvents::EventChannelFactory>::narrow(orb->string_to_object(address));
    // Connected once, this consumer receives the events of every round.
    if (round == 0)
      factory->create_channel("kept")->for_consumers()->obtain_push_supplier()->connect_push_consumer(
          IDL::traits<CosEventComm::PushConsumer>::unchecked_narrow(
              orb->string_to_object(own->object_to_string(reference))));
    factory->join_channel("kept")->for_suppliers()->obtain_push_consumer()->push(number(round));
    EXPECT_TRUE(consumer->receives(static_cast<std::size_t>(round) + 1));
    for (Writer& each : all) each.check(*orb, checked);
    {
      std::vector<std::jthread> threads;
      for (Writer& each : all) threads.emplace_back([&] { each.write(*orb); });
      std::this_thread::sleep_for(std::chrono::milliseconds(5 + random() % 250));
      service.kill();
    }
    orb->destroy();
  }
  EXPECT_EQ(consumer->numbers(), numbers(0, rounds));
  int channels = 0;
  for (const Writer& each : all) channels += each.count();
  std::cout << channels << " channels, " << checked << " objects checked after " << rounds << " kills\n";
  EXPECT_GT(checked, 20u);
  own->destroy();
}

}  // namespace
}  // namespace feature
