#include "notification/service/access.h"

#include <string>

namespace takt::notification {
namespace {

using events::object_id_of;

constexpr std::array<const char*, 4> kinds{"PushConsumers", "PullConsumers", "PushSuppliers",
                                           "PullSuppliers"};
constexpr std::array<const char*, 4> forms{"Any", "Structured", "Sequence", "CosEvent"};

template <class Interface>
Ref<Interface> reference_in(const PoaRef& adapter, ObjectId id) {
  return events::reference_in<Interface>(*adapter, id);
}

// The repository ids of proxies, by ProxyKind and Form.
const std::string& interface_of(const Proxy& proxy) {
  using namespace CosNotifyChannelAdmin;
  namespace event = CosEventChannelAdmin;
  const auto id = []<class Interface>() { return std::string(Interface::_interface_repository_id()); };
  static const std::array<std::array<std::string, 4>, 4> ids{{
      {id.operator()<ProxyPushConsumer>(), id.operator()<StructuredProxyPushConsumer>(),
       id.operator()<SequenceProxyPushConsumer>(), id.operator()<event::ProxyPushConsumer>()},
      {id.operator()<ProxyPullConsumer>(), id.operator()<StructuredProxyPullConsumer>(),
       id.operator()<SequenceProxyPullConsumer>(), id.operator()<event::ProxyPullConsumer>()},
      {id.operator()<ProxyPushSupplier>(), id.operator()<StructuredProxyPushSupplier>(),
       id.operator()<SequenceProxyPushSupplier>(), id.operator()<event::ProxyPushSupplier>()},
      {id.operator()<ProxyPullSupplier>(), id.operator()<StructuredProxyPullSupplier>(),
       id.operator()<SequenceProxyPullSupplier>(), id.operator()<event::ProxyPullSupplier>()},
  }};
  return ids[static_cast<std::size_t>(proxy.kind())][static_cast<std::size_t>(proxy.form())];
}

}  // namespace

Adapters make_adapters(CORBA::ORB& orb) {
  using namespace PortableServer;
  const auto root = IDL::traits<POA>::narrow(orb.resolve_initial_references("RootPOA"));
  const auto make = [&](const std::string& name) {
    return events::make_adapter(*root, "Notification" + name);
  };
  Adapters adapters{.current = IDL::traits<Current>::narrow(orb.resolve_initial_references("POACurrent")),
                    .state = make("State"),
                    .factory = make("Factory"),
                    .filter_factory = make("FilterFactory"),
                    .channels = make("Channels"),
                    .consumer_admins = make("ConsumerAdmins"),
                    .supplier_admins = make("SupplierAdmins"),
                    .filters = make("Filters"),
                    .mapping_filters = make("MappingFilters"),
                    .proxies = {}};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind)
    for (std::size_t form = 0; form < forms.size(); ++form)
      adapters.proxies[kind][form] = make(std::string(forms[form]) + kinds[kind]);
  return adapters;
}

Ref<NotifyMonitoringExt::EventChannelFactory> References::factory() const {
  return reference_in<NotifyMonitoringExt::EventChannelFactory>(adapters_.factory, 1);
}

Ref<CosNotifyFilter::FilterFactory> References::filter_factory() const {
  return reference_in<CosNotifyFilter::FilterFactory>(adapters_.filter_factory, 1);
}

Ref<CosNotifyChannelAdmin::EventChannel> References::of(const Channel& channel) const {
  return reference_in<CosNotifyChannelAdmin::EventChannel>(adapters_.channels, channel.object_id());
}

Ref<CosNotifyChannelAdmin::ConsumerAdmin> References::of_consumers(const Admin& admin) const {
  return reference_in<CosNotifyChannelAdmin::ConsumerAdmin>(adapters_.consumer_admins, admin.object_id());
}

Ref<CosNotifyChannelAdmin::SupplierAdmin> References::of_suppliers(const Admin& admin) const {
  return reference_in<CosNotifyChannelAdmin::SupplierAdmin>(adapters_.supplier_admins, admin.object_id());
}

Ref<CORBA::Object> References::of(const Proxy& proxy) const {
  return adapters_.of(proxy.kind(), proxy.form())
      ->create_reference_with_id(object_id_of(proxy.object_id()), interface_of(proxy));
}

Ref<CosNotifyFilter::Filter> References::of(const Filter* filter) const {
  return filter ? reference_in<CosNotifyFilter::Filter>(adapters_.filters, filter->object_id()) : nullptr;
}

Ref<CosNotifyFilter::MappingFilter> References::of(const MappingFilter* filter) const {
  return filter ? reference_in<CosNotifyFilter::MappingFilter>(adapters_.mapping_filters, filter->object_id())
                : nullptr;
}

template <class T>
std::shared_ptr<T> Access::own_object(const PoaRef& adapter, const Ref<CORBA::Object>& object) const {
  if (!object) return nullptr;
  ObjectId id = 0;
  try {
    id = events::number_of(adapter->reference_to_id(object));
  } catch (const PortableServer::POA::WrongAdapter&) {
    throw CORBA::NO_IMPLEMENT(
        0, CORBA::COMPLETED_NO,
        "only filters of this service can be attached: make one with the channel's default_filter_factory");
  }
  auto found = registry_.find<T>(id);
  if (!found) throw_gone("filter");
  return found;
}

FilterPtr Access::own(const Ref<CosNotifyFilter::Filter>& filter) const {
  return own_object<Filter>(adapters_.filters, filter);
}

MappingFilterPtr Access::own(const Ref<CosNotifyFilter::MappingFilter>& filter) const {
  return own_object<MappingFilter>(adapters_.mapping_filters, filter);
}

void Access::refuse_to_go_round(const Proxy& proxy, const Ref<CORBA::Object>& client) const {
  if (!client || (proxy.kind() != ProxyKind::push_supplier && proxy.kind() != ProxyKind::pull_consumer))
    return;
  const ProxyKind other =
      proxy.kind() == ProxyKind::push_supplier ? ProxyKind::push_consumer : ProxyKind::pull_supplier;
  for (const Form form : {Form::any, Form::structured, Form::sequence, Form::cos_event}) {
    const auto its = registry_.find<Proxy>(events::own_number(*adapters_.of(other, form), client));
    if (its && &its->channel() == &proxy.channel()) throw CosEventChannelAdmin::TypeError();
  }
}

}  // namespace takt::notification
