// bench_events_client cos|rt|ring CHANNEL CONSUMERS OCTETS SECONDS PID [-ORB...]: one supplier pushes
// sequences of octets to a CosEvent channel, or events with a payload of that length to a real-time channel,
// each by a call of its own, and that many consumers receive them, each by an ORB and a port of its own. PID
// is the channel's process. The supplier does not wait until the channel has an event before it pushes the
// next one. Prints what bench::drive() says. With `ring`, CHANNEL is the real-time channel's object
// TaktEventRing, and each consumer is a thread that reads the channel's shared buffer by a mapping of its
// own.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <takt/async/send.h>
#include <takt/corba.h>
#include <takt/orb/asynchronous.h>

#include "CosEventChannelAdminS.h"
#include "RtecEventChannelAdminS.h"
#include "Takt_EventRingC.h"
#include "event_ring/ring_consumer.h"
#include "orbs.h"
#include "parts.h"

namespace {

using bench::make_orb;

class Counter {
 public:
  std::atomic<std::uint64_t> received{0};

 protected:
  void count(std::size_t events) { received.fetch_add(events, std::memory_order_relaxed); }
};

class CosConsumer final : public Counter,
                          public virtual CORBA::servant_traits<CosEventComm::PushConsumer>::base_type {
 public:
  void push(const CORBA::Any&) override { count(1); }
  void disconnect_push_consumer() override {}
};

class RtConsumer final : public Counter,
                         public virtual CORBA::servant_traits<RtecEventComm::PushConsumer>::base_type {
 public:
  void push(const RtecEventComm::EventSet& events) override { count(events.size()); }
  void disconnect_push_consumer() override {}
};

// The consumers, each with an ORB of its own.
template <class Consumer>
struct Consumers {
  std::vector<CORBA::object_reference<CORBA::ORB>> orbs;
  std::vector<CORBA::servant_reference<Consumer>> servants;

  // A reference as `client` sees it.
  template <class Interface>
  typename IDL::traits<Interface>::ref_type add(CORBA::ORB& client) {
    orbs.push_back(make_orb("consumer" + std::to_string(orbs.size())));
    const auto poa =
        IDL::traits<PortableServer::POA>::narrow(orbs.back()->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    servants.push_back(CORBA::make_reference<Consumer>());
    const auto reference = poa->id_to_reference(poa->activate_object(servants.back()));
    return IDL::traits<Interface>::narrow(client.string_to_object(orbs.back()->object_to_string(reference)));
  }
  // How many events the slowest has got.
  std::uint64_t least() const {
    std::uint64_t least = ~std::uint64_t{0};
    for (const auto& each : servants) least = std::min(least, each->received.load(std::memory_order_relaxed));
    return least;
  }
  ~Consumers() {
    for (const auto& each : orbs) each->destroy();
  }
};

struct Load {
  CORBA::object_reference<CORBA::ORB> orb;
  std::string channel;
  std::size_t consumers, octets;
  double seconds;
  std::string service;
};

// An event that the channel does not take ends the program.
struct Accepted {
  void succeed() const {}
  void fail(const std::exception_ptr& why) const {
    try {
      std::rethrow_exception(why);
    } catch (const std::exception& failure) {
      std::cerr << "bench_events_client: " << failure.what() << std::endl;
      std::_Exit(1);
    }
  }
};
using Push = takt::async::CallOf<CosEventComm::PushConsumer::_operations::push, Accepted>;

void run_cos(const Load& load) {
  const auto channel =
      IDL::traits<CosEventChannelAdmin::EventChannel>::narrow(load.orb->string_to_object(load.channel));
  Consumers<CosConsumer> consumers;
  std::vector<CORBA::object_reference<CosEventChannelAdmin::ProxyPushSupplier>> proxies;
  for (std::size_t i = 0; i < load.consumers; ++i) {
    proxies.push_back(channel->for_consumers()->obtain_push_supplier());
    proxies.back()->connect_push_consumer(consumers.add<CosEventComm::PushConsumer>(*load.orb));
  }
  const auto supplier = channel->for_suppliers()->obtain_push_consumer();
  supplier->connect_push_supplier(nullptr);
  takt::use_async_settings(load.orb, {.delivery = takt::AsyncSettings::Delivery::reading_thread});
  CORBA::Any data;
  data <<= std::vector<std::uint8_t>(load.octets);
  bench::drive([&] { Push::send(*supplier, {}, data); }, [&] { return consumers.least(); }, load.consumers,
               load.seconds, load.service);
  supplier->disconnect_push_consumer();
  for (const auto& each : proxies) each->disconnect_push_supplier();
}

constexpr std::int32_t rt_type = 20;

RtecEventComm::EventSet rt_events(const Load& load) {
  RtecEventComm::EventSet events(1);
  events[0].header().type(rt_type);
  events[0].header().source(1);
  events[0].header().ttl(1);
  events[0].data().payload().resize(load.octets);
  return events;
}

// `received`: what each consumer has got. Consumers get events once the channel has reached them.
void push_rt(const Load& load, RtecEventChannelAdmin::EventChannel& channel,
             const std::vector<const std::atomic<std::uint64_t>*>& received) {
  const auto least_of = [&](const auto& of) {
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t i = 0; i < received.size(); ++i) least = std::min(least, of(i));
    return least;
  };
  const auto events = rt_events(load);
  const auto supplier = channel.for_suppliers()->obtain_push_consumer();
  supplier->connect_push_supplier(nullptr, {});
  for (std::uint64_t sent = 0; least_of([&](std::size_t i) { return received[i]->load(); }) == 0; ++sent) {
    if (sent > 10'000) throw std::runtime_error("no event arrives");
    supplier->push(events);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::vector<std::uint64_t> before;
  for (const auto* const each : received) before.push_back(*each);
  bench::drive([&] { supplier->push(events); },
               [&] { return least_of([&](std::size_t i) { return received[i]->load() - before[i]; }); },
               load.consumers, load.seconds, load.service);
  supplier->disconnect_push_consumer();
}

void run_rt(const Load& load) {
  const auto channel =
      IDL::traits<RtecEventChannelAdmin::EventChannel>::narrow(load.orb->string_to_object(load.channel));
  Consumers<RtConsumer> consumers;
  std::vector<CORBA::object_reference<RtecEventChannelAdmin::ProxyPushSupplier>> proxies;
  RtecEventChannelAdmin::ConsumerQOS qos;
  qos.dependencies().resize(1);
  qos.dependencies()[0].event().header().type(rt_type);
  for (std::size_t i = 0; i < load.consumers; ++i) {
    proxies.push_back(channel->for_consumers()->obtain_push_supplier());
    proxies.back()->connect_push_consumer(consumers.add<RtecEventComm::PushConsumer>(*load.orb), qos);
  }
  std::vector<const std::atomic<std::uint64_t>*> received;
  for (const auto& each : consumers.servants) received.push_back(&each->received);
  push_rt(load, *channel, received);
  for (const auto& each : proxies) each->disconnect_push_supplier();
}

void run_ring(const Load& load) {
  using takt::event_ring::RingConsumer;
  const auto source = IDL::traits<Takt::EventRing::Source>::narrow(load.orb->string_to_object(load.channel));
  std::vector<std::atomic<std::uint64_t>> counters(load.consumers);
  std::vector<std::unique_ptr<RingConsumer>> consumers;
  std::vector<const std::atomic<std::uint64_t>*> received;
  for (auto& counter : counters) {
    auto consumer = RingConsumer::connect(
        load.orb, source, {.filter = takt::rt_events::filters::event(rt_type)},
        [&counter](auto events) { counter.fetch_add(events.size(), std::memory_order_relaxed); });
    if (!consumer) throw std::runtime_error(consumer.error());
    if (!(*consumer)->shares()) throw std::runtime_error("a consumer does not read the shared buffer");
    consumers.push_back(*std::move(consumer));
    received.push_back(&counter);
  }
  push_rt(load, *source->channel(), received);
}

}  // namespace

int main(int argc, char** argv) try {
  const auto orb = CORBA::ORB_init(argc, argv);
  const std::string kind = argc > 1 ? argv[1] : "";
  if (argc != 7 || (kind != "cos" && kind != "rt" && kind != "ring"))
    throw std::runtime_error(
        "give cos, rt or ring, a channel, consumers, octets, seconds and the channel's process");
  const Load load{orb,
                  argv[2],
                  std::strtoul(argv[3], nullptr, 10),
                  std::strtoul(argv[4], nullptr, 10),
                  std::atof(argv[5]),
                  argv[6]};
  kind == "rt" ? run_rt(load) : kind == "ring" ? run_ring(load) : run_cos(load);
  orb->destroy();
} catch (const std::exception& failure) {
  std::cerr << "bench_events_client: " << failure.what() << '\n';
  return 1;
}
