// A client of real-time event channels with Takt's stubs; modes and output as in omniorb/rt_events.cpp.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <takt/corba.h>

#include "RtecEventChannelAdminS.h"
#include "rt_event_checks.h"

namespace {

namespace admin = RtecEventChannelAdmin;
using Channel = CORBA::object_reference<admin::EventChannel>;

bool is_intact(const RtecEventComm::Event& event) {
  std::string text;
  return std::ranges::equal(event.data().payload(), interop::payload) &&
         (event.data().any_value() >>= text) && text == interop::text_of(event.data().pad1()) &&
         event.header().ec_recv_time() > 0;
}

class Consumer final : public virtual CORBA::servant_traits<RtecEventComm::PushConsumer>::base_type {
 public:
  explicit Consumer(std::shared_ptr<interop::Received> received) : received_(std::move(received)) {}
  void push(const RtecEventComm::EventSet& events) override {
    std::vector<interop::Received::Event> all;
    for (const auto& each : events)
      all.push_back({each.header().type(), each.data().pad1(), is_intact(each)});
    received_->note(all);
  }
  void disconnect_push_consumer() override {}

 private:
  const std::shared_ptr<interop::Received> received_;  // a push may be under way when the connection ends
};

bool consume(CORBA::ORB& orb, const std::string& name, const Channel& channel, std::int32_t count) {
  const interop::Subscription wanted = interop::subscription_named(name);
  const auto received = std::make_shared<interop::Received>(wanted, count);
  const auto poa = IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  admin::ConsumerQOS qos;
  for (const auto& entry : wanted.entries) {
    RtecEventComm::EventHeader& header = qos.dependencies().emplace_back().event().header();
    header.type(entry.type);
    header.source(entry.source);
    header.creation_time(entry.time);
  }
  const auto proxy = channel->for_consumers()->obtain_push_supplier();
  proxy->connect_push_consumer(IDL::traits<RtecEventComm::PushConsumer>::narrow(poa->id_to_reference(
                                   poa->activate_object(CORBA::make_reference<Consumer>(received)))),
                               qos);
  std::cout << "connected" << std::endl;
  received->wait();
  proxy->disconnect_push_supplier();
  return !received->is_wrong();
}

void supply(const Channel& channel, std::int32_t count) {
  const auto proxy = channel->for_suppliers()->obtain_push_consumer();
  proxy->connect_push_supplier(nullptr, {});
  for (std::int32_t number = 1; number <= count; ++number) {
    RtecEventComm::EventSet events;
    for (const auto& each : interop::pushed) {
      RtecEventComm::Event& event = events.emplace_back();
      event.header().type(each.type);
      event.header().source(each.source);
      event.header().ttl(1);
      event.data().pad1(number);
      event.data().payload().assign(std::begin(interop::payload), std::end(interop::payload));
      event.data().any_value() <<= interop::text_of(number);
    }
    proxy->push(events);
    std::this_thread::sleep_for(std::chrono::microseconds(200));  // consumers have queues of 64 events
  }
  proxy->disconnect_push_consumer();
}

}  // namespace

int main(int argc, char* argv[]) try {
  const auto orb = CORBA::ORB_init(argc, argv);
  if (argc < 4) return 2;
  const std::string mode = argv[1];
  const std::int32_t count = std::atoi(argv[3]);
  const auto channel = IDL::traits<admin::EventChannel>::narrow(orb->string_to_object(argv[2]));
  bool right = true;
  if (mode == "supplier") {
    supply(channel, count);
  } else {
    right = consume(*orb, mode, channel, count);
    std::cout << (right ? "received " : "wrong events ") << count << std::endl;
  }
  orb->destroy();
  return right ? 0 : 1;
} catch (const CORBA::Exception& failure) {
  std::cout << "FAIL " << failure.what() << std::endl;
  return 1;
}
