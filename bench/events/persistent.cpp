// bench_notify_client CHANNEL SUPPLIERS BATCH OCTETS SECONDS PID [-ORB...]: that many suppliers, each a
// thread with a connection of its own, push structured events of that many octets to a channel of a
// notification service, one or BATCH in a call, and wait for the acknowledgement. A consumer takes them in
// batches. The suppliers wait while 30,000 events or 32 MiB are on their way to it, so that no queue
// overflows. Prints acknowledged events per second, the median and the 99th percentile of a call in
// microseconds, and the processor time of the process PID, the service's, and of this one, in microseconds
// for an event.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

#include "CosNotifyChannelAdminS.h"
#include "orbs.h"
#include "parts.h"

namespace {

namespace admin = CosNotifyChannelAdmin;
using bench::Clock;
using bench::percentile;
constexpr std::uint64_t most_events = 30'000, most_octets = 32 << 20, batch_octets = 1 << 20;

class Consumer final : public virtual CORBA::servant_traits<CosNotifyComm::SequencePushConsumer>::base_type {
 public:
  void push_structured_events(const CosNotification::EventBatch& events) override {
    received.fetch_add(events.size(), std::memory_order_relaxed);
  }
  void disconnect_sequence_push_consumer() override {}
  void offer_change(const CosNotification::EventTypeSeq&, const CosNotification::EventTypeSeq&) override {}
  std::atomic<std::uint64_t> received{0};
};

template <class Value>
CosNotification::Property property(const char* name, const Value& value) {
  CORBA::Any any;
  any <<= value;
  return {name, any};
}

struct Load {
  CORBA::object_reference<admin::EventChannel> channel;
  const Consumer& consumer;
  CosNotification::EventBatch batch;
  std::uint64_t most_under_way;
  std::atomic<bool> measures{false}, stops{false};
  std::atomic<std::uint64_t> pushed{0}, measured{0};
  std::mutex mutex;
  std::vector<double> call_us;

  // One supplier.
  void push() {
    admin::ProxyID id = 0;
    const auto proxy = IDL::traits<admin::SequenceProxyPushConsumer>::narrow(
        channel->default_supplier_admin()->obtain_notification_push_consumer(
            admin::ClientType::SEQUENCE_EVENT, id));
    proxy->connect_sequence_push_supplier(nullptr);
    std::vector<double> own_us;
    while (!stops) {
      if (pushed - consumer.received >= most_under_way) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        continue;
      }
      const bool measured_one = measures;
      const auto begin = Clock::now();
      proxy->push_structured_events(batch);
      if (measured_one && measures) {
        own_us.push_back(bench::microseconds(Clock::now() - begin));
        measured += batch.size();
      }
      pushed += batch.size();
    }
    proxy->disconnect_sequence_push_consumer();
    const std::lock_guard lock(mutex);
    call_us.insert(call_us.end(), own_us.begin(), own_us.end());
  }
};

}  // namespace

int main(int argc, char** argv) try {
  const auto orb = CORBA::ORB_init(argc, argv);
  if (argc != 7)
    throw std::runtime_error("give channel, suppliers, batch, octets, seconds, service's process");
  const auto own = bench::make_orb("consumer");
  const auto poa = IDL::traits<PortableServer::POA>::narrow(own->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  const auto consumer = CORBA::make_reference<Consumer>();
  const auto reference = poa->id_to_reference(poa->activate_object(consumer));
  const std::uint64_t octets = std::max(std::strtoul(argv[4], nullptr, 10), 1ul);
  Load load{.channel = IDL::traits<admin::EventChannel>::narrow(orb->string_to_object(argv[1])),
            .consumer = *consumer,
            .batch = {},
            .most_under_way = std::clamp<std::uint64_t>(most_octets / octets, 1, most_events)};
  admin::ProxyID id = 0;
  const auto proxy = IDL::traits<admin::SequenceProxyPushSupplier>::narrow(
      load.channel->default_consumer_admin()->obtain_notification_push_supplier(
          admin::ClientType::SEQUENCE_EVENT, id));
  proxy->set_qos({property("MaximumBatchSize", static_cast<std::int32_t>(std::clamp<std::uint64_t>(
                                                   batch_octets / octets, 1, 200)))});
  proxy->connect_sequence_push_consumer(IDL::traits<CosNotifyComm::SequencePushConsumer>::narrow(
      orb->string_to_object(own->object_to_string(reference))));
  CosNotification::StructuredEvent event;
  event.header().fixed_header().event_type({"Bench", "Event"});
  event.remainder_of_body() <<= std::vector<std::uint8_t>(octets);
  for (int i = 0; i < std::atoi(argv[3]); ++i) load.batch.push_back(event);
  const double seconds = std::atof(argv[5]);
  std::vector<std::jthread> suppliers;
  for (int i = 0; i < std::atoi(argv[2]); ++i) suppliers.emplace_back([&] { load.push(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const double service = bench::cpu_seconds(argv[6]), client = bench::cpu_seconds(std::to_string(::getpid()));
  const auto begin = Clock::now();
  load.measures = true;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  load.measures = false;
  const double took = std::chrono::duration<double>(Clock::now() - begin).count();
  const auto events = static_cast<double>(load.measured.load());
  const double service_us = 1e6 * (bench::cpu_seconds(argv[6]) - service) / events,
               client_us = 1e6 * (bench::cpu_seconds(std::to_string(::getpid())) - client) / events;
  load.stops = true;
  suppliers.clear();
  const auto patience = Clock::now() + std::chrono::seconds(30);
  while (consumer->received < load.pushed) {
    if (Clock::now() > patience) throw std::runtime_error("events are lost");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::cout << events / took << ' ' << percentile(load.call_us, 0.5) << ' ' << percentile(load.call_us, 0.99)
            << ' ' << service_us << ' ' << client_us << '\n';
  proxy->disconnect_sequence_push_supplier();
  own->destroy();
  orb->destroy();
} catch (const std::exception& failure) {
  std::cerr << "bench_notify_client: " << failure.what() << '\n';
  return 1;
}
