#include "events/service/channel_servants.h"

#include "events/service/refusals.h"

namespace takt::events {

ChannelId ChannelAccess::existing() const {
  const ChannelId id = adapters_.target();
  if (!registry_.channel(id)) throw_gone("channel");
  return id;
}

template <class Interface>
CORBA::object_reference<Interface> ChannelAccess::new_proxy(ProxyKind kind) const {
  const auto proxy = registry_.make_proxy(existing(), kind);
  if (!proxy && proxy.error() == Refusal::gone) throw_gone("channel");
  if (!proxy) throw_refusal(proxy.error());
  return reference_in<Interface>(*adapters_.of(kind), (*proxy)->id());
}

// Inside the servants, the interfaces' names mean their base classes, so the stubs need aliases.
using ConsumerAdminStub = CosEventChannelAdmin::ConsumerAdmin;
using SupplierAdminStub = CosEventChannelAdmin::SupplierAdmin;

CORBA::object_reference<ConsumerAdminStub> ChannelServant::for_consumers() {
  return reference_in<ConsumerAdminStub>(*adapters_.consumer_admins, existing());
}

CORBA::object_reference<SupplierAdminStub> ChannelServant::for_suppliers() {
  return reference_in<SupplierAdminStub>(*adapters_.supplier_admins, existing());
}

void ChannelServant::destroy() {
  const auto done = registry_.destroy_channel(adapters_.target());
  if (!done && done.error() == Refusal::gone) throw_gone("channel");
  if (!done) throw_refusal(done.error());
}

bool ChannelServant::is_alive() {
  existing();
  return true;
}

CORBA::object_reference<CosEventChannelAdmin::ProxyPushSupplier>
ConsumerAdminServant::obtain_push_supplier() {
  return new_proxy<CosEventChannelAdmin::ProxyPushSupplier>(ProxyKind::push_supplier);
}

CORBA::object_reference<CosEventChannelAdmin::ProxyPullSupplier>
ConsumerAdminServant::obtain_pull_supplier() {
  return new_proxy<CosEventChannelAdmin::ProxyPullSupplier>(ProxyKind::pull_supplier);
}

CORBA::object_reference<CosEventChannelAdmin::ProxyPushConsumer>
SupplierAdminServant::obtain_push_consumer() {
  return new_proxy<CosEventChannelAdmin::ProxyPushConsumer>(ProxyKind::push_consumer);
}

CORBA::object_reference<CosEventChannelAdmin::ProxyPullConsumer>
SupplierAdminServant::obtain_pull_consumer() {
  return new_proxy<CosEventChannelAdmin::ProxyPullConsumer>(ProxyKind::pull_consumer);
}

}  // namespace takt::events
