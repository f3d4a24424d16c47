// Channels, their admin objects and their factory as CORBA objects. The object id is the channel's.
#pragma once

#include "events/channel/registry.h"
#include "events/service/adapters.h"
#include "omniEventsS.h"

namespace takt::events {

using ChannelRef = CORBA::object_reference<omniEvents::EventChannel>;

// The objects that the servants use. The registry and the adapters must outlive them.
class ChannelAccess {
 public:
  ChannelAccess(Registry& registry, const Adapters& adapters) : registry_(registry), adapters_(adapters) {}

 protected:
  // Throws OBJECT_NOT_EXIST if the channel of the request does not exist.
  ChannelId existing() const;
  bool missing() const { return !registry_.channel(adapters_.target()); }
  template <class Interface>
  CORBA::object_reference<Interface> new_proxy(ProxyKind kind) const;

  Registry& registry_;
  const Adapters& adapters_;
};

class ChannelServant final : public virtual CORBA::servant_traits<omniEvents::EventChannel>::base_type,
                             private ChannelAccess {
 public:
  using ChannelAccess::ChannelAccess;
  CORBA::object_reference<CosEventChannelAdmin::ConsumerAdmin> for_consumers() override;
  CORBA::object_reference<CosEventChannelAdmin::SupplierAdmin> for_suppliers() override;
  void destroy() override;
  bool is_alive() override;
  bool _non_existent() override { return missing(); }
};

class ConsumerAdminServant final
    : public virtual CORBA::servant_traits<CosEventChannelAdmin::ConsumerAdmin>::base_type,
      private ChannelAccess {
 public:
  using ChannelAccess::ChannelAccess;
  CORBA::object_reference<CosEventChannelAdmin::ProxyPushSupplier> obtain_push_supplier() override;
  CORBA::object_reference<CosEventChannelAdmin::ProxyPullSupplier> obtain_pull_supplier() override;
  bool _non_existent() override { return missing(); }
};

class SupplierAdminServant final
    : public virtual CORBA::servant_traits<CosEventChannelAdmin::SupplierAdmin>::base_type,
      private ChannelAccess {
 public:
  using ChannelAccess::ChannelAccess;
  CORBA::object_reference<CosEventChannelAdmin::ProxyPushConsumer> obtain_push_consumer() override;
  CORBA::object_reference<CosEventChannelAdmin::ProxyPullConsumer> obtain_pull_consumer() override;
  bool _non_existent() override { return missing(); }
};

}  // namespace takt::events
