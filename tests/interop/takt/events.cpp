// A client of event channels with Takt's stubs; modes and output as in omniorb/events.cpp.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>

#include <takt/corba.h>

#include "CosEventChannelAdminS.h"

namespace {

using namespace std::chrono_literals;
using CosEventChannelAdmin::EventChannel;

std::mutex mutex;
std::condition_variable changed;
std::int32_t count = 0, next = 1;
bool wrong = false;

void received(const CORBA::Any& data) {
  const std::lock_guard lock(mutex);
  std::int32_t number = 0;
  if (!(data >>= number) || number != next) wrong = true;
  ++next;
  changed.notify_all();
}

class Consumer final : public virtual CORBA::servant_traits<CosEventComm::PushConsumer>::base_type {
 public:
  void push(const CORBA::Any& data) override { received(data); }
  void disconnect_push_consumer() override {}
};

class Supplier final : public virtual CORBA::servant_traits<CosEventComm::PullSupplier>::base_type {
 public:
  CORBA::Any pull() override {
    bool has_event = false;
    CORBA::Any any = try_pull(has_event);
    if (!has_event) throw CORBA::TRANSIENT();
    return any;
  }
  CORBA::Any try_pull(bool& has_event) override {
    const std::lock_guard lock(mutex);
    CORBA::Any any;
    has_event = next <= count;
    if (has_event) any <<= next++;
    changed.notify_all();
    return any;
  }
  void disconnect_pull_supplier() override {}
};

template <class Interface, class Servant, class Connect>
void serve(CORBA::ORB& orb, const Connect& connect) {
  const auto poa = IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  connect(IDL::traits<Interface>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<Servant>()))));
  std::cout << "connected" << std::endl;
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return next > count; });
}

// omniEvents answers TRANSIENT to pull() if there is no event.
template <class Proxy>
CORBA::Any pulled(const Proxy& proxy) {
  while (true) try {
      return proxy->pull();
    } catch (const CORBA::TRANSIENT&) {
      std::this_thread::sleep_for(10ms);
    }
}

void run(CORBA::ORB& orb, const std::string& mode, const CORBA::object_reference<EventChannel>& channel) {
  if (mode == "push-consumer") {
    const auto proxy = channel->for_consumers()->obtain_push_supplier();
    serve<CosEventComm::PushConsumer, Consumer>(
        orb, [&](const auto& consumer) { proxy->connect_push_consumer(consumer); });
    proxy->disconnect_push_supplier();
  } else if (mode == "pull-supplier") {
    const auto proxy = channel->for_suppliers()->obtain_pull_consumer();
    serve<CosEventComm::PullSupplier, Supplier>(
        orb, [&](const auto& supplier) { proxy->connect_pull_supplier(supplier); });
    std::this_thread::sleep_for(100ms);  // omniEvents forgets events that it is still taking in
    proxy->disconnect_pull_consumer();
  } else if (mode == "pull-consumer") {
    const auto proxy = channel->for_consumers()->obtain_pull_supplier();
    proxy->connect_pull_consumer(nullptr);
    std::cout << "connected" << std::endl;
    while (next <= count) received(pulled(proxy));
    proxy->disconnect_pull_supplier();
  } else {
    const auto proxy = channel->for_suppliers()->obtain_push_consumer();
    proxy->connect_push_supplier(nullptr);
    for (std::int32_t i = 1; i <= count; ++i) {
      CORBA::Any any;
      any <<= i;
      proxy->push(any);
    }
    proxy->disconnect_push_consumer();
  }
}

}  // namespace

int main(int argc, char* argv[]) try {
  const auto orb = CORBA::ORB_init(argc, argv);
  if (argc < 4) return 2;
  const std::string mode = argv[1];
  count = std::atoi(argv[3]);
  run(*orb, mode, IDL::traits<EventChannel>::narrow(orb->string_to_object(argv[2])));
  if (mode.ends_with("consumer")) std::cout << (wrong ? "wrong order" : "received ") << count << std::endl;
  orb->destroy();
  return wrong ? 1 : 0;
} catch (const CORBA::Exception& failure) {
  std::cout << "FAIL " << failure.what() << std::endl;
  return 1;
}
