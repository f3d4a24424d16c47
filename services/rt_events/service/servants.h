// A real-time event channel and its proxies as CORBA objects.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "RtecEventChannelAdminS.h"
#include "Takt_RtEventsS.h"
#include "rt_events/service/gateway.h"
#include "rt_events/service/proxies.h"

namespace takt::rt_events {

using PoaRef = CORBA::object_reference<PortableServer::POA>;

// The object adapters. References to `fixed` objects stay valid after a restart at the same address.
struct Adapters {
  PoaRef fixed, proxies, gateways;
};

PortableServer::ObjectId object_id_of(ProxyId id);

// Shared by the servants, which it outlives.
struct ServantParts {
  Adapters adapters;
  std::function<void()> destroyed;  // called once, after destroy() by a client
  std::unique_ptr<Proxies> proxies;
  std::vector<std::unique_ptr<Gateway>> gateways;
  std::mutex shown_mutex;
  // With the mutex; empty: there are none.
  std::function<Takt::RtEvents::DatagramCounts()> datagrams;
  std::function<Takt::RtEvents::RingsState(std::uint32_t most_readers)> rings;
};

// Each proxy has a servant, so that a push finds it without a lock.
class PushSupplierServant final
    : public virtual CORBA::servant_traits<RtecEventChannelAdmin::ProxyPushSupplier>::base_type {
 public:
  PushSupplierServant(ServantParts& parts, std::shared_ptr<ConsumerProxy> proxy)
      : parts_(parts), proxy_(std::move(proxy)) {}
  void connect_push_consumer(CORBA::object_reference<RtecEventComm::PushConsumer> consumer,
                             const RtecEventChannelAdmin::ConsumerQOS& qos) override;
  void suspend_connection() override { proxy_->suspend(true); }
  void resume_connection() override { proxy_->suspend(false); }
  void disconnect_push_supplier() override;

 private:
  ServantParts& parts_;
  const std::shared_ptr<ConsumerProxy> proxy_;
};

class PushConsumerServant final
    : public virtual CORBA::servant_traits<RtecEventChannelAdmin::ProxyPushConsumer>::base_type {
 public:
  PushConsumerServant(ServantParts& parts, std::shared_ptr<SupplierProxy> proxy)
      : parts_(parts), proxy_(std::move(proxy)) {}
  void push(const RtecEventComm::EventSet& events) override { proxy_->push(events); }
  void connect_push_supplier(CORBA::object_reference<RtecEventComm::PushSupplier> supplier,
                             const RtecEventChannelAdmin::SupplierQOS& qos) override;
  void disconnect_push_consumer() override;

 private:
  ServantParts& parts_;
  const std::shared_ptr<SupplierProxy> proxy_;
};

class ConsumerAdminServant final
    : public virtual CORBA::servant_traits<RtecEventChannelAdmin::ConsumerAdmin>::base_type {
 public:
  explicit ConsumerAdminServant(ServantParts& parts) : parts_(parts) {}
  CORBA::object_reference<RtecEventChannelAdmin::ProxyPushSupplier> obtain_push_supplier() override;
  bool _non_existent() override { return parts_.proxies->is_destroyed(); }

 private:
  ServantParts& parts_;
};

class SupplierAdminServant final
    : public virtual CORBA::servant_traits<RtecEventChannelAdmin::SupplierAdmin>::base_type {
 public:
  explicit SupplierAdminServant(ServantParts& parts) : parts_(parts) {}
  CORBA::object_reference<RtecEventChannelAdmin::ProxyPushConsumer> obtain_push_consumer() override;
  bool _non_existent() override { return parts_.proxies->is_destroyed(); }

 private:
  ServantParts& parts_;
};

class ChannelServant final
    : public virtual CORBA::servant_traits<RtecEventChannelAdmin::EventChannel>::base_type {
 public:
  explicit ChannelServant(ServantParts& parts) : parts_(parts) {}
  CORBA::object_reference<RtecEventChannelAdmin::ConsumerAdmin> for_consumers() override;
  CORBA::object_reference<RtecEventChannelAdmin::SupplierAdmin> for_suppliers() override;
  void destroy() override;
  RtecEventChannelAdmin::Observer_Handle append_observer(
      CORBA::object_reference<RtecEventChannelAdmin::Observer> observer) override;
  void remove_observer(RtecEventChannelAdmin::Observer_Handle handle) override;
  bool _non_existent() override { return parts_.proxies->is_destroyed(); }

 private:
  ServantParts& parts_;
};

class StateServant final : public virtual CORBA::servant_traits<Takt::RtEvents::Service>::base_type {
 public:
  explicit StateServant(ServantParts& parts) : parts_(parts) {}
  Takt::RtEvents::State look(std::uint32_t most_clients) override;

 private:
  ServantParts& parts_;
};

// Ids of the fixed objects.
inline constexpr const char* channel_id = "channel";
inline constexpr const char* consumers_id = "consumers";
inline constexpr const char* suppliers_id = "suppliers";
inline constexpr const char* state_id = "state";

template <class Interface>
CORBA::object_reference<Interface> fixed_reference(PortableServer::POA& adapter, const std::string& id) {
  return IDL::traits<Interface>::unchecked_narrow(
      adapter.create_reference_with_id({id.begin(), id.end()}, Interface::_interface_repository_id()));
}

}  // namespace takt::rt_events
