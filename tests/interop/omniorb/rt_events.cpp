// A client of real-time event channels with omniORB's stubs: MODE CHANNEL COUNT [-ORB...].
//
//   supplier       pushes the events of the numbers from 1 to COUNT
//   SUBSCRIPTION   says "connected", and then "received COUNT" if it gets their events in order
#include <omniORB4/CORBA.h>
#include <RtecEventChannelAdmin.hh>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "rt_event_checks.h"

namespace {

namespace admin = RtecEventChannelAdmin;

bool is_intact(const RtecEventComm::Event& event) {
  const char* text = nullptr;
  const EventPayload& octets = event.data.payload;
  return octets.length() == std::size(interop::payload) &&
         std::equal(std::begin(interop::payload), std::end(interop::payload), octets.get_buffer()) &&
         (event.data.any_value >>= text) && text == interop::text_of(event.data.pad1) &&
         event.header.ec_recv_time > 0;
}

class Consumer : public POA_RtecEventComm::PushConsumer {
 public:
  explicit Consumer(std::shared_ptr<interop::Received> received) : received_(std::move(received)) {}
  void push(const RtecEventComm::EventSet& events) override {
    std::vector<interop::Received::Event> all;
    for (CORBA::ULong i = 0; i < events.length(); ++i)
      all.push_back({events[i].header.type, events[i].data.pad1, is_intact(events[i])});
    received_->note(all);
  }
  void disconnect_push_consumer() override {}

 private:
  const std::shared_ptr<interop::Received> received_;  // a push may be under way when the connection ends
};

bool consume(CORBA::ORB_ptr orb, const std::string& name, admin::EventChannel_ptr channel,
             CORBA::Long count) {
  const interop::Subscription wanted = interop::subscription_named(name);
  const auto received = std::make_shared<interop::Received>(wanted, count);
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  auto* servant = new Consumer(received);
  poa->activate_object(servant);
  admin::ConsumerQOS qos;
  qos.is_gateway = false;
  qos.dependencies.length(static_cast<CORBA::ULong>(wanted.entries.size()));
  for (CORBA::ULong i = 0; i < qos.dependencies.length(); ++i) {
    RtecEventComm::EventHeader& header = qos.dependencies[i].event.header;
    header = {};
    header.type = wanted.entries[i].type;
    header.source = wanted.entries[i].source;
    header.creation_time = wanted.entries[i].time;
    qos.dependencies[i].event.data.pad1 = 0;
    qos.dependencies[i].rt_info = 0;
  }
  const admin::ConsumerAdmin_var consumers = channel->for_consumers();
  const admin::ProxyPushSupplier_var proxy = consumers->obtain_push_supplier();
  const RtecEventComm::PushConsumer_var self = servant->_this();
  proxy->connect_push_consumer(self, qos);
  bool twice = false;
  try {
    proxy->connect_push_consumer(self, qos);
  } catch (const admin::AlreadyConnected&) {
    twice = true;
  }
  std::cout << "connected" << std::endl;
  received->wait();
  proxy->suspend_connection();
  proxy->resume_connection();
  proxy->disconnect_push_supplier();
  return twice && !received->is_wrong();
}

void supply(admin::EventChannel_ptr channel, CORBA::Long count) {
  const admin::SupplierAdmin_var suppliers = channel->for_suppliers();
  const admin::ProxyPushConsumer_var proxy = suppliers->obtain_push_consumer();
  admin::SupplierQOS qos;
  qos.is_gateway = false;
  proxy->connect_push_supplier(RtecEventComm::PushSupplier::_nil(), qos);
  for (CORBA::Long number = 1; number <= count; ++number) {
    RtecEventComm::EventSet events;
    for (const auto& each : interop::pushed) {
      const CORBA::ULong at = events.length();
      events.length(at + 1);
      events[at].header = {};
      events[at].header.type = each.type;
      events[at].header.source = each.source;
      events[at].header.ttl = 1;
      events[at].data.pad1 = number;
      events[at].data.payload.length(std::size(interop::payload));
      std::copy(std::begin(interop::payload), std::end(interop::payload),
                events[at].data.payload.get_buffer());
      events[at].data.any_value <<= interop::text_of(number).c_str();
    }
    proxy->push(events);
    omni_thread::sleep(0, 200'000);  // consumers have queues of 64 events
  }
  proxy->disconnect_push_consumer();
}

}  // namespace

int main(int argc, char* argv[]) try {
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc < 4) return 2;
  const CORBA::Long count = std::atoi(argv[3]);
  const CORBA::Object_var object = orb->string_to_object(argv[2]);
  const admin::EventChannel_var channel = admin::EventChannel::_narrow(object);
  bool right = true;
  if (std::strcmp(argv[1], "supplier") == 0) {
    supply(channel, count);
  } else {
    right = consume(orb, argv[1], channel, count);
    std::cout << (right ? "received " : "wrong events ") << count << std::endl;
  }
  orb->destroy();
  return right ? 0 : 1;
} catch (const CORBA::Exception& failure) {
  std::cout << "FAIL " << failure._name() << std::endl;
  return 1;
}
