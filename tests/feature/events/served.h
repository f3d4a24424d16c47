// An event service in this process, and clients of its channels, which are called over the wire.
#pragma once

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
#include "CosEventChannelAdminS.h"
#include "events/service/event_service.h"
#include "omniEventsC.h"

namespace feature {

using namespace std::chrono_literals;
using takt::test::eventually;
using Channel = CORBA::object_reference<CosEventChannelAdmin::EventChannel>;

inline constexpr auto patience = 20s;

inline CORBA::Any number(std::int32_t value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

// The numbers from `first` on.
inline std::vector<std::int32_t> numbers(std::int32_t first, std::size_t count) {
  std::vector<std::int32_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = first + static_cast<std::int32_t>(i);
  return all;
}

// A consumer that is pushed to. `on_event` may throw or wait.
class Consumer final : public virtual CORBA::servant_traits<CosEventComm::PushConsumer>::base_type {
 public:
  explicit Consumer(std::function<void(const CORBA::Any&)> on_event = {}) : on_event_(std::move(on_event)) {}
  void push(const CORBA::Any& data) override {
    {
      const std::lock_guard lock(mutex_);
      all_.push_back(data);
    }
    if (on_event_) on_event_(data);
  }
  void disconnect_push_consumer() override {
    const std::lock_guard lock(mutex_);
    ++disconnects_;
  }
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return all_.size();
  }
  int disconnects() const {
    const std::lock_guard lock(mutex_);
    return disconnects_;
  }
  std::vector<CORBA::Any> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }
  std::vector<std::int32_t> numbers() const {
    std::vector<std::int32_t> read;
    for (const CORBA::Any& each : all()) {
      std::int32_t value = -1;
      each >>= value;
      read.push_back(value);
    }
    return read;
  }
  bool receives(std::size_t events) const {
    return eventually([&] { return count() >= events; });
  }

 private:
  const std::function<void(const CORBA::Any&)> on_event_;
  mutable std::mutex mutex_;
  std::vector<CORBA::Any> all_;
  int disconnects_ = 0;
};

// A supplier that is pulled from: has the numbers from 1 to `count`.
class PulledSupplier final : public virtual CORBA::servant_traits<CosEventComm::PullSupplier>::base_type {
 public:
  explicit PulledSupplier(std::int32_t count) : count_(count) {}
  CORBA::Any pull() override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Any try_pull(bool& has_event) override {
    has_event = next_ <= count_;
    return has_event ? number(next_++) : CORBA::Any();
  }
  void disconnect_pull_supplier() override { ++disconnects; }
  std::atomic<int> disconnects{0};

 private:
  const std::int32_t count_;
  std::atomic<std::int32_t> next_{1};
};

class PushingSupplier final : public virtual CORBA::servant_traits<CosEventComm::PushSupplier>::base_type {
 public:
  void disconnect_push_supplier() override { ++disconnects; }
  std::atomic<int> disconnects{0};
};

class PullingConsumer final : public virtual CORBA::servant_traits<CosEventComm::PullConsumer>::base_type {
 public:
  void disconnect_pull_consumer() override { ++disconnects; }
  std::atomic<int> disconnects{0};
};

// The service, and an ORB of its clients in which their objects are.
class EventServer : public OrbPair {
 public:
  explicit EventServer(takt::events::EventService::Options options = {}, const std::string& port = "0",
                       const Options& client_options = {})
      : OrbPair({"-ORBClientConnections", "cached"},
                with({"-ORBRoundTripTimeout", "30s", "-ORBListenEndpoints", loopback}, client_options),
                "iiop://127.0.0.1:" + port, Server::serves_by_its_own_threads),
        service(started(server, std::move(options))),
        clients(root_poa(client)),
        factory(seen_by_client<omniEvents::EventChannelFactory>(service->factory())) {
    clients->the_POAManager()->activate();
  }
  ~EventServer() {
    service->stop();
    stop_server();
  }

  Channel channel(takt::events::ChannelSettings settings = {}) const {
    auto made = service->make_channel(std::move(settings));
    if (!made) throw std::runtime_error("no channel");
    return seen_by_client<CosEventChannelAdmin::EventChannel>(*made);
  }
  // A reference to a client's object.
  template <class Interface, class Servant>
  typename IDL::traits<Interface>::ref_type object(const CORBA::servant_reference<Servant>& servant) const {
    return IDL::traits<Interface>::narrow(clients->id_to_reference(clients->activate_object(servant)));
  }
  auto connect(const Channel& channel, const CORBA::servant_reference<Consumer>& consumer) const {
    const auto proxy = channel->for_consumers()->obtain_push_supplier();
    proxy->connect_push_consumer(object<CosEventComm::PushConsumer>(consumer));
    return proxy;
  }
  // A supplier without an object of its own.
  auto supplier(const Channel& channel) const {
    const auto proxy = channel->for_suppliers()->obtain_push_consumer();
    proxy->connect_push_supplier(nullptr);
    return proxy;
  }
  takt::events::ChannelState first_channel() const { return service->look().channels.at(0); }

  const std::unique_ptr<takt::events::EventService> service;
  const Poa clients;
  const CORBA::object_reference<omniEvents::EventChannelFactory> factory;

 private:
  static std::unique_ptr<takt::events::EventService> started(const Orb& orb,
                                                             takt::events::EventService::Options options) {
    auto started = takt::events::EventService::start(orb, std::move(options));
    if (!started) throw std::runtime_error(started.error());
    return std::move(*started);
  }
};

inline CORBA::servant_reference<Consumer> make_consumer(
    std::function<void(const CORBA::Any&)> on_event = {}) {
  return CORBA::make_reference<Consumer>(std::move(on_event));
}

}  // namespace feature
