#include "rt_events/service/servants.h"

#include <utility>

namespace takt::rt_events {
namespace {

// Inside the servants, the interfaces' names mean their base classes, so the stubs need aliases.
namespace admin = RtecEventChannelAdmin;

[[noreturn]] void throw_gone(const char* of) {
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                std::string("the ") + of + " has ended: obtain another");
}

[[noreturn]] void throw_too_many(const char* of) {
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                         std::string("the real-time event channel has as many ") + of +
                             " as it may have: disconnect some, or raise its limit");
}

void check(const std::expected<void, Refusal>& done) {
  if (done) return;
  switch (done.error()) {
    case Refusal::gone:
      throw_gone("proxy");
    case Refusal::already_connected:
      throw admin::AlreadyConnected();
    case Refusal::nil:
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the consumer's reference is nil");
    case Refusal::too_long:
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             "the reference, or the list of publications, is longer than the real-time event "
                             "channel accepts");
    case Refusal::bad_subscription:
      throw admin::TypeError();
    case Refusal::bad_publication:
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "the rt_info of a publication is no operation of the channel's scheduler");
    case Refusal::too_many:
      break;
  }
  throw_too_many("consumers, or places for events,");
}

// Whether the consumer is a proxy of this channel, so that an event would go round without end.
bool is_own(PortableServer::POA& proxies, const CORBA::object_reference<CORBA::Object>& consumer) {
  try {
    proxies.reference_to_id(consumer);
    return true;
  } catch (const PortableServer::POA::WrongAdapter&) {
    return false;
  }
}

// The reference of a new proxy with its servant.
template <class Interface, class Servant, class P>
CORBA::object_reference<Interface> new_proxy(ServantParts& parts) {
  const auto proxy = parts.proxies->make<P>();
  if (!proxy && parts.proxies->is_destroyed()) throw_gone("channel");
  if (!proxy) throw_too_many("proxies");
  PortableServer::POA& adapter = *parts.adapters.proxies;
  const auto id = object_id_of(proxy->id());
  adapter.activate_object_with_id(id, CORBA::make_reference<Servant>(parts, proxy));
  // The channel may have been destroyed in between.
  if (parts.proxies->is_destroyed()) parts.proxies->remove(*proxy, EndReason::destroyed);
  return IDL::traits<Interface>::unchecked_narrow(
      adapter.create_reference_with_id(id, Interface::_interface_repository_id()));
}

}  // namespace

PortableServer::ObjectId object_id_of(ProxyId id) {
  PortableServer::ObjectId octets;
  for (int shift = 56; shift >= 0; shift -= 8) octets.push_back(static_cast<std::uint8_t>(id >> shift));
  return octets;
}

void PushSupplierServant::connect_push_consumer(CORBA::object_reference<RtecEventComm::PushConsumer> consumer,
                                                const admin::ConsumerQOS& qos) {
  if (consumer && is_own(*parts_.adapters.proxies, consumer)) throw admin::TypeError();
  check(proxy_->connect(consumer, qos));
}

void PushSupplierServant::disconnect_push_supplier() {
  if (!parts_.proxies->remove(*proxy_, EndReason::client)) throw_gone("proxy");
}

void PushConsumerServant::connect_push_supplier(CORBA::object_reference<RtecEventComm::PushSupplier> supplier,
                                                const admin::SupplierQOS& qos) {
  check(proxy_->connect(supplier, qos));
}

void PushConsumerServant::disconnect_push_consumer() {
  if (!parts_.proxies->remove(*proxy_, EndReason::client)) throw_gone("proxy");
}

CORBA::object_reference<admin::ProxyPushSupplier> ConsumerAdminServant::obtain_push_supplier() {
  return new_proxy<admin::ProxyPushSupplier, PushSupplierServant, ConsumerProxy>(parts_);
}

CORBA::object_reference<admin::ProxyPushConsumer> SupplierAdminServant::obtain_push_consumer() {
  return new_proxy<admin::ProxyPushConsumer, PushConsumerServant, SupplierProxy>(parts_);
}

CORBA::object_reference<admin::ConsumerAdmin> ChannelServant::for_consumers() {
  if (parts_.proxies->is_destroyed()) throw_gone("channel");
  return fixed_reference<admin::ConsumerAdmin>(*parts_.adapters.fixed, consumers_id);
}

CORBA::object_reference<admin::SupplierAdmin> ChannelServant::for_suppliers() {
  if (parts_.proxies->is_destroyed()) throw_gone("channel");
  return fixed_reference<admin::SupplierAdmin>(*parts_.adapters.fixed, suppliers_id);
}

void ChannelServant::destroy() {
  if (!parts_.proxies->destroy()) throw_gone("channel");
  if (parts_.destroyed) parts_.destroyed();
}

admin::Observer_Handle ChannelServant::append_observer(CORBA::object_reference<admin::Observer> observer) {
  if (parts_.proxies->is_destroyed()) throw_gone("channel");
  if (!observer) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the observer's reference is nil");
  Proxies& proxies = *parts_.proxies;
  const auto bounded =
      IDL::traits<admin::Observer>::unchecked_narrow(with_timeout(observer, proxies.limits().call_timeout));
  const auto handle = proxies.observers().append(bounded, proxies.limits().observers);
  if (handle == 0) throw admin::EventChannel::CANT_APPEND_OBSERVER();
  return handle;
}

void ChannelServant::remove_observer(admin::Observer_Handle handle) {
  if (!parts_.proxies->observers().remove(handle)) throw admin::EventChannel::CANT_REMOVE_OBSERVER();
}

}  // namespace takt::rt_events
