// The proxies of all channels as CORBA objects: one servant for each kind, and the object id selects the
// proxy.
#pragma once

#include <memory>
#include <optional>

#include "CosEventChannelAdminS.h"
#include "events/channel/registry.h"
#include "events/service/adapters.h"

namespace takt::events {

// The objects that the servants of proxies use. The registry and the adapters must outlive them.
class ProxyAccess {
 public:
  ProxyAccess(Registry& registry, const Adapters& adapters) : registry_(registry), adapters_(adapters) {}

 protected:
  // Throws AlreadyConnected, OBJECT_NOT_EXIST or IMP_LIMIT. BAD_PARAM for nil if the proxy calls its
  // client. TypeError for a proxy of this service through which events would go round without end.
  void connect(ProxyKind kind, const ObjectRef& client) const;
  void disconnect(ProxyKind kind) const;
  bool missing(ProxyKind kind) const;
  // Throws Disconnected if there is no such proxy.
  template <class P>
  std::shared_ptr<P> existing(ProxyKind kind) const {
    auto proxy = registry_.proxy(adapters_.target(), kind);
    if (!proxy) throw CosEventComm::Disconnected();
    return std::static_pointer_cast<P>(std::move(proxy));
  }

 private:
  // One channel of this service passes its events to another.
  struct Link {
    ChannelId from, to;
  };
  // The link that a proxy and its client are; none if the client is no proxy of this service.
  std::optional<Link> link_of(const Proxy& proxy, const ObjectRef& client) const;
  // Whether events come back to the channel from which the link would lead.
  bool closes_circle(const Link& link) const;

  Registry& registry_;
  const Adapters& adapters_;
};

class PushConsumerServant final
    : public virtual CORBA::servant_traits<CosEventChannelAdmin::ProxyPushConsumer>::base_type,
      private ProxyAccess {
 public:
  using ProxyAccess::ProxyAccess;
  void push(const CORBA::Any& data) override;
  void disconnect_push_consumer() override { disconnect(ProxyKind::push_consumer); }
  void connect_push_supplier(CORBA::object_reference<CosEventComm::PushSupplier> supplier) override {
    connect(ProxyKind::push_consumer, supplier);
  }
  bool _non_existent() override { return missing(ProxyKind::push_consumer); }
};

class PullConsumerServant final
    : public virtual CORBA::servant_traits<CosEventChannelAdmin::ProxyPullConsumer>::base_type,
      private ProxyAccess {
 public:
  using ProxyAccess::ProxyAccess;
  void disconnect_pull_consumer() override { disconnect(ProxyKind::pull_consumer); }
  void connect_pull_supplier(CORBA::object_reference<CosEventComm::PullSupplier> supplier) override {
    connect(ProxyKind::pull_consumer, supplier);
  }
  bool _non_existent() override { return missing(ProxyKind::pull_consumer); }
};

class PushSupplierServant final
    : public virtual CORBA::servant_traits<CosEventChannelAdmin::ProxyPushSupplier>::base_type,
      private ProxyAccess {
 public:
  using ProxyAccess::ProxyAccess;
  void disconnect_push_supplier() override { disconnect(ProxyKind::push_supplier); }
  void connect_push_consumer(CORBA::object_reference<CosEventComm::PushConsumer> consumer) override {
    connect(ProxyKind::push_supplier, consumer);
  }
  bool _non_existent() override { return missing(ProxyKind::push_supplier); }
};

class PullSupplierServant final
    : public virtual CORBA::servant_traits<CosEventChannelAdmin::ProxyPullSupplier>::base_type,
      private ProxyAccess {
 public:
  using ProxyAccess::ProxyAccess;
  CORBA::Any pull() override;
  CORBA::Any try_pull(bool& has_event) override;
  void disconnect_pull_supplier() override { disconnect(ProxyKind::pull_supplier); }
  void connect_pull_consumer(CORBA::object_reference<CosEventComm::PullConsumer> consumer) override {
    connect(ProxyKind::pull_supplier, consumer);
  }
  bool _non_existent() override { return missing(ProxyKind::pull_supplier); }
};

}  // namespace takt::events
