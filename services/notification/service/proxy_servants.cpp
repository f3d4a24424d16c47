#include "notification/service/proxy_servants.h"

#include "notification/service/event_proxy_servants.h"
#include "notification/service/notify_proxy_servants.h"
#include "notification/service/set_servants.h"

namespace takt::notification {

std::set<TypeName> checked_names(const CosNotification::EventTypeSeq& types, const Limits& limits) {
  if (types.size() > limits.event_types) throw_limit("types of events");
  for (const auto& type : types)
    if (type.domain_name().size() > limits.name_bytes || type.type_name().size() > limits.name_bytes)
      throw CosNotifyComm::InvalidEventType(type);
  return names_of(types);
}

CosNotification::NamedPropertyRangeSeq checked_ranges(const CosNotification::QoSProperties& required,
                                                      Level level, const Limits& limits) {
  auto ranges = available_beside(required, level, limits);
  if (!ranges) throw_unsupported(std::move(ranges.error()));
  return *std::move(ranges);
}

std::size_t checked_count(std::int32_t max_number) {
  if (max_number < 1)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the number of events that are wanted must be positive");
  return static_cast<std::size_t>(max_number);
}

CosNotification::EventBatch batch_of(const std::vector<EventPtr>& events) {
  CosNotification::EventBatch batch;
  for (const EventPtr& event : events) batch.push_back(event->as_structured());
  return batch;
}

CosNotifyChannelAdmin::ProxyType type_of(const Proxy& proxy) {
  const bool pushes = proxy.kind() == ProxyKind::push_consumer || proxy.kind() == ProxyKind::push_supplier;
  return static_cast<CosNotifyChannelAdmin::ProxyType>(2 * static_cast<int>(proxy.form()) + (pushes ? 0 : 1));
}

bool wants_updates(CosNotifyChannelAdmin::ObtainInfoMode mode) {
  using CosNotifyChannelAdmin::ObtainInfoMode;
  return mode == ObtainInfoMode::ALL_NOW_UPDATES_ON || mode == ObtainInfoMode::NONE_NOW_UPDATES_ON;
}

bool wants_types(CosNotifyChannelAdmin::ObtainInfoMode mode) {
  using CosNotifyChannelAdmin::ObtainInfoMode;
  return mode == ObtainInfoMode::ALL_NOW_UPDATES_ON || mode == ObtainInfoMode::ALL_NOW_UPDATES_OFF;
}

void check_running(const Parts& parts) {
  if (parts.stopping)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                           "the notification service ends: call again when it has restarted");
}

void throw_not_switched(Switched switched, bool suspended) {
  if (switched == Switched::not_connected) throw CosNotifyChannelAdmin::NotConnected();
  if (suspended) throw CosNotifyChannelAdmin::ConnectionAlreadyInactive();
  throw CosNotifyChannelAdmin::ConnectionAlreadyActive();
}

void set_proxy_servants(Registry& registry, const Adapters& adapters) {
  const auto set = [&]<class Servant>(ProxyKind kind, Form form) {
    adapters.of(kind, form)->set_servant(CORBA::make_reference<Servant>(registry, adapters));
  };
  using enum ProxyKind;
  set.operator()<AnyPushConsumerServant>(push_consumer, Form::any);
  set.operator()<AnyPullConsumerServant>(pull_consumer, Form::any);
  set.operator()<AnyPushSupplierServant>(push_supplier, Form::any);
  set.operator()<AnyPullSupplierServant>(pull_supplier, Form::any);
  set.operator()<StructuredPushConsumerServant>(push_consumer, Form::structured);
  set.operator()<StructuredPullConsumerServant>(pull_consumer, Form::structured);
  set.operator()<StructuredPushSupplierServant>(push_supplier, Form::structured);
  set.operator()<StructuredPullSupplierServant>(pull_supplier, Form::structured);
  set.operator()<SequencePushConsumerServant>(push_consumer, Form::sequence);
  set.operator()<SequencePullConsumerServant>(pull_consumer, Form::sequence);
  set.operator()<SequencePushSupplierServant>(push_supplier, Form::sequence);
  set.operator()<SequencePullSupplierServant>(pull_supplier, Form::sequence);
  set.operator()<EventPushConsumerServant>(push_consumer, Form::cos_event);
  set.operator()<EventPullConsumerServant>(pull_consumer, Form::cos_event);
  set.operator()<EventPushSupplierServant>(push_supplier, Form::cos_event);
  set.operator()<EventPullSupplierServant>(pull_supplier, Form::cos_event);
}

}  // namespace takt::notification
