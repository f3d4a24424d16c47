// The proxies of all channels as CORBA objects: one servant for each kind and form, and the object id selects
// the proxy.
#pragma once

#include "notification/channel/receivers.h"
#include "notification/channel/senders.h"
#include "notification/service/managed_servant.h"

namespace takt::notification {

// Throws BAD_PARAM if the number of events that a client wants is not positive.
std::size_t checked_count(std::int32_t max_number);
CosNotification::EventBatch batch_of(const std::vector<EventPtr>& events);
CosNotifyChannelAdmin::ProxyType type_of(const Proxy& proxy);
bool wants_updates(CosNotifyChannelAdmin::ObtainInfoMode mode);
bool wants_types(CosNotifyChannelAdmin::ObtainInfoMode mode);
// Throws TRANSIENT while the service ends: clients stay connected.
void check_running(const Parts& parts);
[[noreturn]] void throw_not_switched(Switched switched, bool suspended);

// The operations that all notification proxies have. `P` is one of the four classes of proxies.
template <class Base, class P, Form form>
class ProxyServant : public Base {
 public:
  using Base::Base;
  CosNotifyChannelAdmin::ProxyType MyType() override { return type_of(*this->existing()); }
  void validate_event_qos(const CosNotification::QoSProperties& required_qos,
                          CosNotification::NamedPropertyRangeSeq& available_qos) override {
    this->existing();
    available_qos = checked_ranges(required_qos, Level::message, this->limits());
  }

 protected:
  std::shared_ptr<P> is(std::shared_ptr<P> proxy) const override {
    return proxy && proxy->form() == form ? proxy : nullptr;
  }
  std::shared_ptr<P> live() const {
    auto proxy = is(this->find());
    if (proxy && proxy->is_connected()) return proxy;
    check_running(this->registry_.parts());
    throw CosEventComm::Disconnected();
  }
  void connect(const ObjectRef& client) const {
    const auto proxy = this->existing();
    events::require_client(client, proxy->kind());
    this->refuse_to_go_round(*proxy, client);
    if (const auto connected = this->registry_.connect(proxy, client); !connected)
      throw_refusal(connected.error(), "proxy");
  }
  void disconnect() const {
    if (const auto done = this->registry_.disconnect(this->existing()); !done)
      throw_refusal(done.error(), "proxy");
  }
  CosNotification::EventTypeSeq obtain(Side side, CosNotifyChannelAdmin::ObtainInfoMode mode) const {
    const auto proxy = this->existing();
    if (const auto written = this->registry_.want_updates(*proxy, wants_updates(mode)); !written)
      throw_refusal(written.error(), this->what);
    return wants_types(mode) ? types_of(proxy->channel().types(side)) : CosNotification::EventTypeSeq();
  }
  void change_types(const CosNotification::EventTypeSeq& added,
                    const CosNotification::EventTypeSeq& removed) const {
    const auto proxy = this->existing();
    const auto written = this->registry_.change_types(*proxy, checked_names(added, this->limits()),
                                                      checked_names(removed, this->limits()));
    if (!written) throw_refusal(written.error(), this->what);
  }
};

// A ProxySupplier: its client is a consumer.
template <class Interface, class P, Form form>
class SupplierServant : public ProxyServant<MappingServant<Interface, P>, P, form> {
 public:
  using ProxyServant<MappingServant<Interface, P>, P, form>::ProxyServant;
  Ref<CosNotifyChannelAdmin::ConsumerAdmin> MyAdmin() override {
    return this->references_.of_consumers(this->existing()->admin());
  }
  CosNotification::EventTypeSeq obtain_offered_types(CosNotifyChannelAdmin::ObtainInfoMode mode) override {
    return this->obtain(Side::suppliers, mode);
  }
  void subscription_change(const CosNotification::EventTypeSeq& added,
                           const CosNotification::EventTypeSeq& removed) override {
    this->change_types(added, removed);
  }
};

// A ProxyConsumer: its client is a supplier.
template <class Interface, class P, Form form>
class ConsumerServant : public ProxyServant<ManagedServant<Interface, P>, P, form> {
 public:
  using ProxyServant<ManagedServant<Interface, P>, P, form>::ProxyServant;
  Ref<CosNotifyChannelAdmin::SupplierAdmin> MyAdmin() override {
    return this->references_.of_suppliers(this->existing()->admin());
  }
  CosNotification::EventTypeSeq obtain_subscription_types(
      CosNotifyChannelAdmin::ObtainInfoMode mode) override {
    return this->obtain(Side::consumers, mode);
  }
  void offer_change(const CosNotification::EventTypeSeq& added,
                    const CosNotification::EventTypeSeq& removed) override {
    this->change_types(added, removed);
  }
};

// A proxy that calls its client for events.
template <class Base>
class SuspendedServant : public Base {
 public:
  using Base::Base;
  void suspend_connection() override { suspend(true); }
  void resume_connection() override { suspend(false); }

 private:
  void suspend(bool suspends) const {
    const auto switched = this->registry_.suspend(*this->existing(), suspends);
    if (!switched) throw_refusal(switched.error(), this->what);
    if (*switched != Switched::done) throw_not_switched(*switched, suspends);
  }
};

}  // namespace takt::notification
