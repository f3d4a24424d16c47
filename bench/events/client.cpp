// bench_events_client CHANNEL CONSUMERS OCTETS SECONDS PID [-ORB...]: one supplier pushes sequences of octets
// to an event channel, and that many consumers receive them, each by an ORB and a port of its own. PID is the
// channel's process. The supplier does not wait until the channel has an event before it pushes the next one.
// Prints what bench::drive() says.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <takt/async/send.h>
#include <takt/corba.h>
#include <takt/orb/asynchronous.h>

#include "CosEventChannelAdminS.h"
#include "orbs.h"
#include "parts.h"

namespace {

using bench::make_orb;

class Consumer final : public virtual CORBA::servant_traits<CosEventComm::PushConsumer>::base_type {
 public:
  void push(const CORBA::Any&) override { received.fetch_add(1, std::memory_order_relaxed); }
  void disconnect_push_consumer() override {}
  std::atomic<std::uint64_t> received{0};
};

std::uint64_t least(const std::vector<CORBA::servant_reference<Consumer>>& consumers) {
  std::uint64_t least = ~std::uint64_t{0};
  for (const auto& each : consumers) least = std::min(least, each->received.load(std::memory_order_relaxed));
  return least;
}

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

}  // namespace

int main(int argc, char** argv) try {
  const auto orb = CORBA::ORB_init(argc, argv);
  if (argc != 6)
    throw std::runtime_error("give a channel, consumers, octets, seconds and the channel's process");
  const auto channel =
      IDL::traits<CosEventChannelAdmin::EventChannel>::narrow(orb->string_to_object(argv[1]));
  std::vector<CORBA::object_reference<CORBA::ORB>> orbs;
  std::vector<CORBA::servant_reference<Consumer>> consumers;
  std::vector<CORBA::object_reference<CosEventChannelAdmin::ProxyPushSupplier>> proxies;
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    orbs.push_back(make_orb("consumer" + std::to_string(i)));
    const auto poa =
        IDL::traits<PortableServer::POA>::narrow(orbs.back()->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    consumers.push_back(CORBA::make_reference<Consumer>());
    const auto reference = poa->id_to_reference(poa->activate_object(consumers.back()));
    proxies.push_back(channel->for_consumers()->obtain_push_supplier());
    proxies.back()->connect_push_consumer(IDL::traits<CosEventComm::PushConsumer>::narrow(
        orb->string_to_object(orbs.back()->object_to_string(reference))));
  }
  const auto supplier = channel->for_suppliers()->obtain_push_consumer();
  supplier->connect_push_supplier(nullptr);
  takt::use_async_settings(orb, {.delivery = takt::AsyncSettings::Delivery::reading_thread});
  CORBA::Any data;
  data <<= std::vector<std::uint8_t>(std::strtoul(argv[3], nullptr, 10));
  bench::drive([&] { Push::send(*supplier, {}, data); }, [&] { return least(consumers); }, consumers.size(),
               std::atof(argv[4]), argv[5]);
  supplier->disconnect_push_consumer();
  for (const auto& each : proxies) each->disconnect_push_supplier();
  for (const auto& each : orbs) each->destroy();
  orb->destroy();
} catch (const std::exception& failure) {
  std::cerr << "bench_events_client: " << failure.what() << '\n';
  return 1;
}
