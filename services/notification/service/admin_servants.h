// Channels and their administrators as CORBA objects.
#pragma once

#include "notification/service/managed_servant.h"

namespace takt::notification {

// Throws BAD_PARAM for what is no operator.
Combine combination_of(CosNotifyChannelAdmin::InterFilterGroupOperator op);
Form form_of(CosNotifyChannelAdmin::ClientType type);

// The operations of both kinds of administrators. The object id is the administrator's.
template <class Base, Side side>
class AdminServant : public Base {
 public:
  using Base::Base;
  CosNotifyChannelAdmin::AdminID MyID() override { return this->existing()->number(); }
  Ref<CosNotifyChannelAdmin::EventChannel> MyChannel() override {
    return this->references_.of(this->existing()->channel());
  }
  CosNotifyChannelAdmin::InterFilterGroupOperator MyOperator() override {
    using CosNotifyChannelAdmin::InterFilterGroupOperator;
    return this->existing()->combine() == Combine::all ? InterFilterGroupOperator::AND_OP
                                                       : InterFilterGroupOperator::OR_OP;
  }
  void destroy() override {
    const auto admin = this->existing();
    if (admin->number() == 0)
      throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO,
                                 "the default administrator lasts as long as its channel: destroy that");
    if (const auto done = this->registry_.destroy(admin); !done) throw_refusal(done.error(), "administrator");
  }

 protected:
  std::shared_ptr<Admin> is(std::shared_ptr<Admin> admin) const override {
    return admin && admin->side() == side ? admin : nullptr;
  }
  // Throws AdminLimitExceeded. For a client of the event service it is IMP_LIMIT, because its operations
  // declare no such exception.
  ProxyPtr new_proxy(ProxyKind kind, Form form) const {
    auto made = this->registry_.make_proxy(this->existing(), kind, form);
    if (made) return *std::move(made);
    if (const auto* limit = std::get_if<LimitExceeded>(&made.error())) throw_exceeded(*limit, form);
    throw_refusal(std::get<Refusal>(made.error()), "administrator");
  }
  template <class Interface>
  Ref<Interface> reference(const Proxy& proxy) const {
    return IDL::traits<Interface>::unchecked_narrow(this->references_.of(proxy));
  }
  template <class Interface>
  Ref<Interface> obtain(ProxyKind kind, CosNotifyChannelAdmin::ClientType type, std::int32_t& number) const {
    const ProxyPtr proxy = new_proxy(kind, form_of(type));
    number = proxy->number();
    return reference<Interface>(*proxy);
  }
  // For a client of the event service.
  template <class Interface>
  Ref<Interface> obtain_for_events(ProxyKind kind) const {
    return reference<Interface>(*new_proxy(kind, Form::cos_event));
  }
  template <class Interface>
  Ref<Interface> proxy(std::int32_t number) const {
    const ProxyPtr found = this->existing()->proxy(number);
    if (!found || found->form() == Form::cos_event) throw CosNotifyChannelAdmin::ProxyNotFound();
    return reference<Interface>(*found);
  }
  // Without those of the event service, which are no notification proxies.
  std::vector<std::int32_t> proxies(ProxyKind kind) const {
    std::vector<std::int32_t> numbers;
    for (const ProxyPtr& each : this->existing()->proxies())
      if (each->kind() == kind && each->form() != Form::cos_event) numbers.push_back(each->number());
    return numbers;
  }
  void change_types(const CosNotification::EventTypeSeq& added,
                    const CosNotification::EventTypeSeq& removed) const {
    const auto admin = this->existing();
    const auto written = this->registry_.change_types(*admin, checked_names(added, this->limits()),
                                                      checked_names(removed, this->limits()));
    if (!written) throw_refusal(written.error(), this->what);
  }

 private:
  [[noreturn]] static void throw_exceeded(const LimitExceeded& limit, Form form) {
    const bool consumers = limit.side == Side::consumers;
    if (form == Form::cos_event)
      throw_limit(consumers ? "consumers, MaxConsumers" : "suppliers, MaxSuppliers");
    CORBA::Any value;
    value <<= limit.limit;
    throw CosNotifyChannelAdmin::AdminLimitExceeded(
        CosNotifyChannelAdmin::AdminLimit(consumers ? "MaxConsumers" : "MaxSuppliers", value));
  }
};

// Inside the servants, the interfaces' names mean their base classes, so the stubs need aliases.
using ConsumerAdminStub = CosNotifyChannelAdmin::ConsumerAdmin;
using SupplierAdminStub = CosNotifyChannelAdmin::SupplierAdmin;
using ProxySupplierStub = CosNotifyChannelAdmin::ProxySupplier;
using ProxyConsumerStub = CosNotifyChannelAdmin::ProxyConsumer;

class ConsumerAdminServant final
    : public AdminServant<MappingServant<ConsumerAdminStub, Admin>, Side::consumers> {
 public:
  using AdminServant::AdminServant;
  CosNotifyChannelAdmin::ProxyIDSeq pull_suppliers() override { return proxies(ProxyKind::pull_supplier); }
  CosNotifyChannelAdmin::ProxyIDSeq push_suppliers() override { return proxies(ProxyKind::push_supplier); }
  Ref<ProxySupplierStub> get_proxy_supplier(CosNotifyChannelAdmin::ProxyID proxy_id) override {
    return proxy<ProxySupplierStub>(proxy_id);
  }
  Ref<ProxySupplierStub> obtain_notification_pull_supplier(
      CosNotifyChannelAdmin::ClientType ctype, CosNotifyChannelAdmin::ProxyID& proxy_id) override {
    return obtain<ProxySupplierStub>(ProxyKind::pull_supplier, ctype, proxy_id);
  }
  Ref<ProxySupplierStub> obtain_notification_push_supplier(
      CosNotifyChannelAdmin::ClientType ctype, CosNotifyChannelAdmin::ProxyID& proxy_id) override {
    return obtain<ProxySupplierStub>(ProxyKind::push_supplier, ctype, proxy_id);
  }
  Ref<CosEventChannelAdmin::ProxyPushSupplier> obtain_push_supplier() override {
    return obtain_for_events<CosEventChannelAdmin::ProxyPushSupplier>(ProxyKind::push_supplier);
  }
  Ref<CosEventChannelAdmin::ProxyPullSupplier> obtain_pull_supplier() override {
    return obtain_for_events<CosEventChannelAdmin::ProxyPullSupplier>(ProxyKind::pull_supplier);
  }
  void subscription_change(const CosNotification::EventTypeSeq& added,
                           const CosNotification::EventTypeSeq& removed) override {
    change_types(added, removed);
  }
};

class SupplierAdminServant final
    : public AdminServant<ManagedServant<SupplierAdminStub, Admin>, Side::suppliers> {
 public:
  using AdminServant::AdminServant;
  CosNotifyChannelAdmin::ProxyIDSeq pull_consumers() override { return proxies(ProxyKind::pull_consumer); }
  CosNotifyChannelAdmin::ProxyIDSeq push_consumers() override { return proxies(ProxyKind::push_consumer); }
  Ref<ProxyConsumerStub> get_proxy_consumer(CosNotifyChannelAdmin::ProxyID proxy_id) override {
    return proxy<ProxyConsumerStub>(proxy_id);
  }
  Ref<ProxyConsumerStub> obtain_notification_pull_consumer(
      CosNotifyChannelAdmin::ClientType ctype, CosNotifyChannelAdmin::ProxyID& proxy_id) override {
    return obtain<ProxyConsumerStub>(ProxyKind::pull_consumer, ctype, proxy_id);
  }
  Ref<ProxyConsumerStub> obtain_notification_push_consumer(
      CosNotifyChannelAdmin::ClientType ctype, CosNotifyChannelAdmin::ProxyID& proxy_id) override {
    return obtain<ProxyConsumerStub>(ProxyKind::push_consumer, ctype, proxy_id);
  }
  Ref<CosEventChannelAdmin::ProxyPushConsumer> obtain_push_consumer() override {
    return obtain_for_events<CosEventChannelAdmin::ProxyPushConsumer>(ProxyKind::push_consumer);
  }
  Ref<CosEventChannelAdmin::ProxyPullConsumer> obtain_pull_consumer() override {
    return obtain_for_events<CosEventChannelAdmin::ProxyPullConsumer>(ProxyKind::pull_consumer);
  }
  void offer_change(const CosNotification::EventTypeSeq& added,
                    const CosNotification::EventTypeSeq& removed) override {
    change_types(added, removed);
  }
};

}  // namespace takt::notification
