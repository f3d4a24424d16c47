// A real-time event channel in this process, and clients that reach it over the wire.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "../../eventually.h"
#include "../orb_pair.h"
#include "RtecEventChannelAdminS.h"
#include "rt_events/service/event_channel_service.h"

namespace feature {

using namespace std::chrono_literals;
using takt::test::eventually;
namespace admin = RtecEventChannelAdmin;
using takt::rt_events::EventChannelService;
using takt::rt_events::EventChannelServiceOptions;
using Entries = takt::rt_events::filters::Entries;
using Numbers = std::vector<std::int32_t>;

inline RtecEventComm::Event event(std::int32_t type, std::int32_t number, std::int32_t source = 1,
                                  std::size_t octets = 0) {
  RtecEventComm::Event event;
  event.header().type(type);
  event.header().source(source);
  event.header().ttl(1);
  event.data().pad1(number);
  event.data().payload().resize(octets);
  return event;
}

inline Numbers numbers_from(std::int32_t first, std::size_t count) {
  Numbers all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = first + static_cast<std::int32_t>(i);
  return all;
}

inline admin::ConsumerQOS wants(const Entries& entries, std::int32_t rt_info = 0) {
  admin::ConsumerQOS qos;
  for (const auto& entry : entries) {
    admin::Dependency& dependency = qos.dependencies().emplace_back();
    dependency.event().header().type(entry.type);
    dependency.event().header().source(entry.source);
    dependency.event().header().creation_time(entry.time);
    dependency.rt_info(rt_info);
  }
  return qos;
}

inline admin::SupplierQOS offers(const std::vector<std::pair<std::int32_t, std::int32_t>>& kinds) {
  admin::SupplierQOS qos;
  for (const auto& [type, source] : kinds) qos.publications().emplace_back().event(event(type, 0, source));
  return qos;
}

// Records the number of each event; `on_events` may wait.
class Consumer final : public virtual CORBA::servant_traits<RtecEventComm::PushConsumer>::base_type {
 public:
  explicit Consumer(std::function<void(const RtecEventComm::EventSet&)> on_events = {})
      : on_events_(std::move(on_events)) {}
  void push(const RtecEventComm::EventSet& events) override {
    {
      const std::lock_guard lock(mutex_);
      sizes_.push_back(static_cast<std::int32_t>(events.size()));
      for (const auto& each : events) {
        numbers_.push_back(each.data().pad1());
        types_.push_back(each.header().type());
      }
    }
    if (on_events_) on_events_(events);
  }
  void disconnect_push_consumer() override { ++disconnects; }
  Numbers numbers() const { return copied(numbers_); }
  Numbers types() const { return copied(types_); }
  Numbers sizes() const { return copied(sizes_); }  // events of each call
  bool has(std::size_t count) const {
    return eventually([&] { return numbers().size() >= count; });
  }
  std::atomic<int> disconnects{0};

 private:
  Numbers copied(const Numbers& from) const {
    const std::lock_guard lock(mutex_);
    return from;
  }

  const std::function<void(const RtecEventComm::EventSet&)> on_events_;
  mutable std::mutex mutex_;
  Numbers numbers_, types_, sizes_;
};

class Supplier final : public virtual CORBA::servant_traits<RtecEventComm::PushSupplier>::base_type {
 public:
  void disconnect_push_supplier() override { ++disconnects; }
  std::atomic<int> disconnects{0};
};

// The service, and an ORB of its clients in which their objects are.
class RtEventServer : public OrbPair {
 public:
  using Channel = CORBA::object_reference<admin::EventChannel>;

  explicit RtEventServer(EventChannelServiceOptions options = {}, const std::string& endpoint = loopback)
      : OrbPair({"-ORBClientConnections", "cached"},
                {"-ORBRoundTripTimeout", "30s", "-ORBListenEndpoints", loopback}, endpoint,
                Server::serves_by_its_own_threads),
        service(started(server, std::move(options))),
        clients(root_poa(client)),
        channel(seen_by_client<admin::EventChannel>(service->reference())) {
    clients->the_POAManager()->activate();
  }
  ~RtEventServer() {
    service->stop();
    stop_server();
  }

  // A reference to a client's object.
  template <class Interface, class Servant>
  typename IDL::traits<Interface>::ref_type object(const CORBA::servant_reference<Servant>& servant) const {
    return IDL::traits<Interface>::narrow(clients->id_to_reference(clients->activate_object(servant)));
  }
  auto connect(const CORBA::servant_reference<Consumer>& consumer, const admin::ConsumerQOS& qos) const {
    const auto proxy = channel->for_consumers()->obtain_push_supplier();
    proxy->connect_push_consumer(object<RtecEventComm::PushConsumer>(consumer), qos);
    return proxy;
  }
  auto supplier(const admin::SupplierQOS& qos = {}) const {
    const auto proxy = channel->for_suppliers()->obtain_push_consumer();
    proxy->connect_push_supplier(nullptr, qos);
    return proxy;
  }
  Takt::RtEvents::State state() const { return service->look(100); }
  // The state of the consumer, or supplier, with the most pending events.
  Takt::RtEvents::Client client_state(bool consumer = true) const {
    const auto now = state();
    for (const auto& each : now.clients())
      if (each.consumer() == consumer) return each;
    throw std::runtime_error("no such client");
  }

  const std::unique_ptr<EventChannelService> service;
  const Poa clients;
  const Channel channel;

 private:
  static std::unique_ptr<EventChannelService> started(const Orb& orb, EventChannelServiceOptions options) {
    auto started = EventChannelService::start(orb, std::move(options));
    if (!started) throw std::runtime_error(started.error());
    return *std::move(started);
  }
};

inline CORBA::servant_reference<Consumer> make_consumer(
    std::function<void(const RtecEventComm::EventSet&)> on_events = {}) {
  return CORBA::make_reference<Consumer>(std::move(on_events));
}

}  // namespace feature
