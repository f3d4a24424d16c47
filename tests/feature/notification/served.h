// A notification service in this process, and clients of its channels, which are called over the wire.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <takt/corba.h>
#include <takt/standard/TimeBaseC.h>

#include "../../eventually.h"
#include "../event_clients.h"
#include "../orb_pair.h"
#include "CosNotifyChannelAdminS.h"
#include "NotifyMonitoringExtC.h"
#include "Takt_NotificationC.h"
#include "addresses/address_in.h"
#include "notification/service/notification_service.h"

namespace feature {

using namespace std::chrono_literals;
using takt::test::eventually;
namespace admin = CosNotifyChannelAdmin;
using CosNotification::StructuredEvent;
using Types = CosNotification::EventTypeSeq;
using Numbers = std::vector<std::int32_t>;
template <class Interface>
using Ref = CORBA::object_reference<Interface>;

template <class Value>
CORBA::Any any_of(const Value& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

template <class Value>
CosNotification::Property property(const std::string& name, const Value& value) {
  return {name, any_of(value)};
}

// An alarm with a number in its body and as "number" in its filterable data.
inline StructuredEvent alarm(std::int32_t number, const CosNotification::PropertySeq& header = {},
                             const std::string& type = "Alarm") {
  StructuredEvent event;
  event.header().fixed_header().event_type({"Telecom", type});
  event.header().fixed_header().event_name("alarm");
  event.header().variable_header(header);
  event.filterable_data({property("number", number)});
  event.remainder_of_body(any_of(number));
  return event;
}

inline std::int32_t number_in(const StructuredEvent& event) {
  std::int32_t number = 0;
  event.remainder_of_body() >>= number;
  return number;
}

// The events that a client has received. Thread-safe.
class Received {
 public:
  using OnEvent = std::function<void()>;
  explicit Received(OnEvent on_event) : on_event_(std::move(on_event)) {}
  void add(const StructuredEvent& event) { add(event, number_in(event)); }
  void add(const StructuredEvent& event, std::int32_t number) {
    if (on_event_) on_event_();
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
    numbers_.push_back(number);
  }
  void add_batch(std::size_t size) {
    const std::lock_guard lock(mutex_);
    batches_.push_back(size);
  }
  void disconnect() {
    const std::lock_guard lock(mutex_);
    ++disconnects_;
  }
  void change(const Types& added, const Types& removed) {
    const std::lock_guard lock(mutex_);
    added_.insert(added_.end(), added.begin(), added.end());
    removed_.insert(removed_.end(), removed.begin(), removed.end());
  }
  Numbers numbers() const { return get(numbers_); }
  std::vector<StructuredEvent> events() const { return get(events_); }
  std::vector<std::size_t> batches() const { return get(batches_); }
  Types added() const { return get(added_); }
  Types removed() const { return get(removed_); }
  int disconnects() const { return get(disconnects_); }
  bool has(std::size_t count) const {
    return eventually([&] { return numbers().size() >= count; });
  }

 private:
  template <class Value>
  Value get(const Value& value) const {
    const std::lock_guard lock(mutex_);
    return value;
  }

  const OnEvent on_event_;
  mutable std::mutex mutex_;
  std::vector<StructuredEvent> events_;
  Numbers numbers_;
  std::vector<std::size_t> batches_;
  Types added_, removed_;
  int disconnects_ = 0;
};

class StructuredConsumer final
    : public virtual CORBA::servant_traits<CosNotifyComm::StructuredPushConsumer>::base_type,
      public Received {
 public:
  explicit StructuredConsumer(OnEvent on_event = {}) : Received(std::move(on_event)) {}
  void push_structured_event(const StructuredEvent& event) override { add(event); }
  void disconnect_structured_push_consumer() override { disconnect(); }
  void offer_change(const Types& added, const Types& removed) override { change(added, removed); }
};

class SequenceConsumer final
    : public virtual CORBA::servant_traits<CosNotifyComm::SequencePushConsumer>::base_type,
      public Received {
 public:
  explicit SequenceConsumer(OnEvent on_event = {}) : Received(std::move(on_event)) {}
  void push_structured_events(const CosNotification::EventBatch& events) override {
    add_batch(events.size());
    for (const auto& event : events) add(event);
  }
  void disconnect_sequence_push_consumer() override { disconnect(); }
  void offer_change(const Types& added, const Types& removed) override { change(added, removed); }
};

// A consumer of a notification channel, or of an event channel, which calls the same operation. A structured
// event in the any is kept, and a number that is the whole any.
class AnyConsumer final : public virtual CORBA::servant_traits<CosNotifyComm::PushConsumer>::base_type,
                          public Received {
 public:
  explicit AnyConsumer(OnEvent on_event = {}) : Received(std::move(on_event)) {}
  void push(const CORBA::Any& data) override {
    StructuredEvent event;
    std::int32_t number = 0;
    if (data >>= event)
      add(event);
    else if (data >>= number)
      add({}, number);
    else
      throw CORBA::BAD_PARAM();
  }
  void disconnect_push_consumer() override { disconnect(); }
  void offer_change(const Types& added, const Types& removed) override { change(added, removed); }
};

class StructuredSupplier final
    : public virtual CORBA::servant_traits<CosNotifyComm::StructuredPushSupplier>::base_type,
      public Received {
 public:
  StructuredSupplier() : Received({}) {}
  void disconnect_structured_push_supplier() override { disconnect(); }
  void subscription_change(const Types& added, const Types& removed) override { change(added, removed); }
};

// The service and a channel "test", as a client of another ORB sees them.
class NotifyServer {
 public:
  explicit NotifyServer(const takt::notification::Limits& limits = {},
                        const CosNotification::QoSProperties& qos = {},
                        const CosNotification::AdminProperties& admin_properties = {})
      : NotifyServer(takt::notification::NotificationService::Options{.limits = limits}, "0", qos,
                     admin_properties) {}
  // A service that may have a store; the channel is made if the store does not have it.
  NotifyServer(const takt::notification::NotificationService::Options& options, const std::string& port,
               const CosNotification::QoSProperties& qos = {},
               const CosNotification::AdminProperties& admin_properties = {})
      : pair(std::make_unique<OrbPair>(
            Options{"-ORBServerConcurrency", "leader-followers", "-ORBClientConnections", "cached"},
            Options{"-ORBListenEndpoints", OrbPair::loopback}, "iiop://127.0.0.1:" + port)),
        service(started(pair->server, options)) {
    factory = pair->seen_by_client<NotifyMonitoringExt::EventChannelFactory>(service->factory());
    state_object = IDL::traits<Takt::Notification::Service>::narrow(at_key("TaktNotification"));
    channel = state_object->find_channel("test");
    admin::ChannelID id = 0;
    if (!channel) channel = factory->create_named_channel(qos, admin_properties, id, "test");
  }
  ~NotifyServer() {
    service->stop();
    pair->stop_server();
  }
  NotifyServer(const NotifyServer&) = delete;
  NotifyServer& operator=(const NotifyServer&) = delete;

  // Activates a client's servant in the client's ORB.
  template <class Interface, class Servant>
  Ref<Interface> activate(const CORBA::servant_reference<Servant>& servant) const {
    const auto root = root_poa(pair->client);
    root->the_POAManager()->activate();
    return IDL::traits<Interface>::narrow(root->id_to_reference(root->activate_object(servant)));
  }
  template <class Proxy>
  Ref<Proxy> push_supplier(const Ref<admin::ConsumerAdmin>& from, admin::ClientType type) const {
    admin::ProxyID id = 0;
    return IDL::traits<Proxy>::narrow(from->obtain_notification_push_supplier(type, id));
  }
  Ref<admin::StructuredProxyPushSupplier> connect(
      const CORBA::servant_reference<StructuredConsumer>& consumer,
      Ref<admin::ConsumerAdmin> from = nullptr) const {
    auto proxy = structured_proxy(from);
    proxy->connect_structured_push_consumer(activate<CosNotifyComm::StructuredPushConsumer>(consumer));
    return proxy;
  }
  Ref<admin::StructuredProxyPushSupplier> structured_proxy(Ref<admin::ConsumerAdmin> from = nullptr) const {
    return push_supplier<admin::StructuredProxyPushSupplier>(from ? from : channel->default_consumer_admin(),
                                                             admin::ClientType::STRUCTURED_EVENT);
  }
  Ref<admin::SequenceProxyPushSupplier> sequence_proxy() const {
    return push_supplier<admin::SequenceProxyPushSupplier>(channel->default_consumer_admin(),
                                                           admin::ClientType::SEQUENCE_EVENT);
  }
  Ref<admin::ProxyPushSupplier> connect_any(const CORBA::servant_reference<AnyConsumer>& consumer) const {
    auto proxy = push_supplier<admin::ProxyPushSupplier>(channel->default_consumer_admin(),
                                                         admin::ClientType::ANY_EVENT);
    proxy->connect_any_push_consumer(activate<CosNotifyComm::PushConsumer>(consumer));
    return proxy;
  }
  template <class Proxy>
  Ref<Proxy> push_consumer(admin::ClientType type, Ref<admin::SupplierAdmin> from = nullptr) const {
    admin::ProxyID id = 0;
    if (!from) from = channel->default_supplier_admin();
    return IDL::traits<Proxy>::narrow(from->obtain_notification_push_consumer(type, id));
  }
  // Connected proxies of suppliers.
  Ref<admin::StructuredProxyPushConsumer> supplier(Ref<admin::SupplierAdmin> from = nullptr) const {
    auto proxy = push_consumer<admin::StructuredProxyPushConsumer>(admin::ClientType::STRUCTURED_EVENT, from);
    proxy->connect_structured_push_supplier(nullptr);
    return proxy;
  }
  Ref<admin::ProxyPushConsumer> any_supplier() const {
    auto proxy = push_consumer<admin::ProxyPushConsumer>(admin::ClientType::ANY_EVENT);
    proxy->connect_any_push_supplier(nullptr);
    return proxy;
  }
  Ref<admin::SequenceProxyPushConsumer> sequence_supplier() const {
    auto proxy = push_consumer<admin::SequenceProxyPushConsumer>(admin::ClientType::SEQUENCE_EVENT);
    proxy->connect_sequence_push_supplier(nullptr);
    return proxy;
  }
  template <class Proxy>
  Ref<Proxy> pull_supplier(admin::ClientType type) const {
    admin::ProxyID id = 0;
    return IDL::traits<Proxy>::narrow(
        channel->default_consumer_admin()->obtain_notification_pull_supplier(type, id));
  }
  Ref<CosNotifyFilter::Filter> filter(const std::vector<std::string>& constraints,
                                      const Types& types = {}) const {
    auto made = channel->default_filter_factory()->create_filter("EXTENDED_TCL");
    CosNotifyFilter::ConstraintExpSeq list;
    for (const std::string& each : constraints) list.emplace_back(types, each);
    made->add_constraints(list);
    return made;
  }
  Takt::Notification::Channel state() const { return state_object->look(1'000).channels().at(0); }
  Takt::Notification::State whole_state() const { return state_object->look(1'000); }

  const std::unique_ptr<OrbPair> pair;
  const std::unique_ptr<takt::notification::NotificationService> service;
  Ref<NotifyMonitoringExt::EventChannelFactory> factory;
  Ref<admin::EventChannel> channel;
  Ref<Takt::Notification::Service> state_object;

 private:
  static std::unique_ptr<takt::notification::NotificationService> started(
      const Orb& orb, const takt::notification::NotificationService::Options& options) {
    auto service = takt::notification::NotificationService::start(orb, options);
    if (!service) throw std::runtime_error(service.error());
    return *std::move(service);
  }

 public:
  // The object with the key at the service's address.
  Ref<CORBA::Object> at_key(const std::string& key) const {
    return pair->client->string_to_object(
        "corbaloc::" + takt::addresses::address_in(takt::addresses::ior_of(factory)) + '/' + key);
  }
};

}  // namespace feature
