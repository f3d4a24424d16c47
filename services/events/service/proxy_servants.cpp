#include "events/service/proxy_servants.h"

#include "events/service/refusals.h"

namespace takt::events {

bool ProxyAccess::goes_round(ProxyKind kind, const ObjectRef& client) const {
  if (!client || (kind != ProxyKind::push_supplier && kind != ProxyKind::pull_consumer)) return false;
  const ProxyKind other =
      kind == ProxyKind::push_supplier ? ProxyKind::push_consumer : ProxyKind::pull_supplier;
  const auto proxy = registry_.proxy(adapters_.target(), kind);
  const auto its = registry_.proxy(own_number(*adapters_.of(other), client), other);
  return proxy && its && &proxy->channel() == &its->channel();
}

void ProxyAccess::connect(ProxyKind kind, const ObjectRef& client, bool may_be_nil) const {
  if (!client && !may_be_nil) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the client's reference is nil");
  if (goes_round(kind, client)) throw CosEventChannelAdmin::TypeError();
  if (const auto connected = registry_.connect(adapters_.target(), kind, client); !connected)
    throw_refusal(connected.error());
}

void ProxyAccess::disconnect(ProxyKind kind) const {
  if (const auto done = registry_.disconnect(adapters_.target(), kind); !done) throw_refusal(done.error());
}

bool ProxyAccess::missing(ProxyKind kind) const { return !registry_.proxy(adapters_.target(), kind); }

void PushConsumerServant::push(const CORBA::Any& data) {
  existing<PushedProxy>(ProxyKind::push_consumer)->push(data);
}

CORBA::Any PullSupplierServant::pull() {
  return existing<PulledProxy>(ProxyKind::pull_supplier)->pull()->data();
}

CORBA::Any PullSupplierServant::try_pull(bool& has_event) {
  const EventPtr event = existing<PulledProxy>(ProxyKind::pull_supplier)->try_pull();
  has_event = event != nullptr;
  return event ? event->data() : CORBA::Any();
}

}  // namespace takt::events
