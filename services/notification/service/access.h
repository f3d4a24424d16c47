// Lets servants reach the objects of a notification service, their adapters and their references.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "CosNotifyChannelAdminS.h"
#include "NotifyMonitoringExtS.h"
#include "events/service/adapters.h"
#include "notification/channel/registry.h"
#include "notification/service/refusals.h"

namespace takt::notification {

using events::PoaRef;
template <class Interface>
using Ref = CORBA::object_reference<Interface>;

struct Adapters {
  Ref<PortableServer::Current> current;
  PoaRef state, factory, filter_factory, channels, consumer_admins, supplier_admins, filters, mapping_filters;
  std::array<std::array<PoaRef, 4>, 4> proxies;  // by ProxyKind and Form

  const PoaRef& of(ProxyKind kind, Form form) const {
    return proxies[static_cast<std::size_t>(kind)][static_cast<std::size_t>(form)];
  }
};

// Creates the adapters below the root POA.
Adapters make_adapters(CORBA::ORB& orb);

// References to objects of the service.
class References {
 public:
  explicit References(const Adapters& adapters) : adapters_(adapters) {}

  Ref<NotifyMonitoringExt::EventChannelFactory> factory() const;
  Ref<CosNotifyFilter::FilterFactory> filter_factory() const;
  Ref<CosNotifyChannelAdmin::EventChannel> of(const Channel& channel) const;
  Ref<CosNotifyChannelAdmin::ConsumerAdmin> of_consumers(const Admin& admin) const;
  Ref<CosNotifyChannelAdmin::SupplierAdmin> of_suppliers(const Admin& admin) const;
  Ref<CORBA::Object> of(const Proxy& proxy) const;
  Ref<CosNotifyFilter::Filter> of(const Filter* filter) const;                // nil for null
  Ref<CosNotifyFilter::MappingFilter> of(const MappingFilter* filter) const;  // nil for null

 private:
  const Adapters& adapters_;
};

// The base of servants; the object id of a request selects the object. All must outlive them.
class Access {
 public:
  Access(Registry& registry, const Adapters& adapters)
      : registry_(registry), adapters_(adapters), references_(adapters) {}

 protected:
  ObjectId target() const { return events::number_of(adapters_.current->get_object_id()); }
  // Null if the object of the request does not exist, or is no T.
  template <class T>
  std::shared_ptr<T> found() const {
    return registry_.find<T>(target());
  }
  // The filter of this service; null for nil. Throws NO_IMPLEMENT for a filter of another one, and
  // OBJECT_NOT_EXIST for one that was destroyed.
  FilterPtr own(const Ref<CosNotifyFilter::Filter>& filter) const;
  MappingFilterPtr own(const Ref<CosNotifyFilter::MappingFilter>& filter) const;
  // Throws TypeError if the proxy's client is a proxy of the same channel, through which events would go
  // round without end.
  void refuse_to_go_round(const Proxy& proxy, const Ref<CORBA::Object>& client) const;

  Registry& registry_;
  const Adapters& adapters_;
  const References references_;

 private:
  template <class T>
  std::shared_ptr<T> own_object(const PoaRef& adapter, const Ref<CORBA::Object>& object) const;
};

}  // namespace takt::notification
