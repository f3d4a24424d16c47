// A client of event channels with omniORB's stubs: MODE CHANNEL COUNT [-ORB...].
//
//   push-supplier, pull-supplier    gives the numbers from 1 to COUNT to the channel
//   push-consumer, pull-consumer    says "connected", and then "received COUNT" if it gets these numbers in
//   order
#include <omniORB4/CORBA.h>
#include <CosEventChannelAdmin.hh>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

namespace {

omni_mutex mutex;
omni_condition changed(&mutex);
CORBA::Long count = 0, next = 1;
bool wrong = false, disconnected = false;

void received(const CORBA::Any& data) {
  const omni_mutex_lock lock(mutex);
  CORBA::Long number = 0;
  if (!(data >>= number) || number != next) wrong = true;
  ++next;
  changed.broadcast();
}

void note_disconnect() {
  const omni_mutex_lock lock(mutex);
  disconnected = true;
  changed.broadcast();
}

template <class Done>
void wait_until(Done done) {
  const omni_mutex_lock lock(mutex);
  while (!done()) changed.wait();
}

class Consumer : public POA_CosEventComm::PushConsumer {
 public:
  void push(const CORBA::Any& data) override { received(data); }
  void disconnect_push_consumer() override { note_disconnect(); }
};

class Supplier : public POA_CosEventComm::PullSupplier {
 public:
  CORBA::Any* pull() override {
    CORBA::Boolean has_event = false;
    CORBA::Any* any = try_pull(has_event);
    if (has_event) return any;
    delete any;
    throw CORBA::TRANSIENT();
  }
  CORBA::Any* try_pull(CORBA::Boolean& has_event) override {
    const omni_mutex_lock lock(mutex);
    auto* any = new CORBA::Any;
    has_event = next <= count;
    if (has_event) *any <<= next++;
    changed.broadcast();
    return any;
  }
  void disconnect_pull_supplier() override { note_disconnect(); }
};

template <class Servant, class Connect>
void serve(CORBA::ORB_ptr orb, Connect connect) {
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  auto* servant = new Servant;
  poa->activate_object(servant);
  connect(servant->_this());
  std::cout << "connected" << std::endl;
  wait_until([] { return next > count; });
}

void run(CORBA::ORB_ptr orb, const std::string& mode, CosEventChannelAdmin::EventChannel_ptr channel) {
  const CosEventChannelAdmin::ConsumerAdmin_var consumers = channel->for_consumers();
  const CosEventChannelAdmin::SupplierAdmin_var suppliers = channel->for_suppliers();
  if (mode == "push-consumer") {
    const CosEventChannelAdmin::ProxyPushSupplier_var proxy = consumers->obtain_push_supplier();
    serve<Consumer>(orb,
                    [&](CosEventComm::PushConsumer_ptr consumer) { proxy->connect_push_consumer(consumer); });
    proxy->disconnect_push_supplier();
  } else if (mode == "pull-supplier") {
    const CosEventChannelAdmin::ProxyPullConsumer_var proxy = suppliers->obtain_pull_consumer();
    serve<Supplier>(orb,
                    [&](CosEventComm::PullSupplier_ptr supplier) { proxy->connect_pull_supplier(supplier); });
    omni_thread::sleep(0, 100'000'000);  // omniEvents forgets events that it is still taking in
    proxy->disconnect_pull_consumer();
  } else if (mode == "pull-consumer") {
    const CosEventChannelAdmin::ProxyPullSupplier_var proxy = consumers->obtain_pull_supplier();
    proxy->connect_pull_consumer(CosEventComm::PullConsumer::_nil());
    std::cout << "connected" << std::endl;
    while (next <= count) {
      const CORBA::Any_var data = proxy->pull();
      received(data.in());
    }
    proxy->disconnect_pull_supplier();
  } else {
    const CosEventChannelAdmin::ProxyPushConsumer_var proxy = suppliers->obtain_push_consumer();
    proxy->connect_push_supplier(CosEventComm::PushSupplier::_nil());
    for (CORBA::Long i = 1; i <= count; ++i) {
      CORBA::Any any;
      any <<= i;
      proxy->push(any);
    }
    proxy->disconnect_push_consumer();
  }
}

// omniEvents answers TRANSIENT to pull() if there is no event.
CORBA::Boolean again(void*, CORBA::ULong, const CORBA::TRANSIENT&) {
  omni_thread::sleep(0, 10'000'000);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) try {
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc < 4) return 2;
  omniORB::installTransientExceptionHandler(nullptr, &again);
  count = std::atoi(argv[3]);
  const CORBA::Object_var object = orb->string_to_object(argv[2]);
  const CosEventChannelAdmin::EventChannel_var channel = CosEventChannelAdmin::EventChannel::_narrow(object);
  run(orb, argv[1], channel);
  if (std::strstr(argv[1], "consumer"))
    std::cout << (wrong ? "wrong order" : "received ") << count << std::endl;
  orb->destroy();
  return wrong ? 1 : 0;
} catch (const CORBA::Exception& failure) {
  std::cout << "FAIL " << failure._name() << std::endl;
  return 1;
}
