#include "notification/service/channel_servant.h"

#include "notification/service/admin_servants.h"

namespace takt::notification {

ChannelPtr ChannelServant::existing() const {
  auto channel = found<Channel>();
  if (!channel) throw_gone("channel");
  return channel;
}

CosNotification::QoSProperties ChannelServant::get_qos() {
  return properties_of(existing()->qos(), Level::channel);
}

void ChannelServant::set_qos(const CosNotification::QoSProperties& qos) {
  if (auto set = registry_.set_qos(*existing(), qos); !set) throw_refusal(std::move(set.error()), "channel");
}

void ChannelServant::validate_qos(const CosNotification::QoSProperties& required_qos,
                                  CosNotification::NamedPropertyRangeSeq& available_qos) {
  if (auto may = registry_.may_set_qos(*existing(), required_qos); !may)
    throw_refusal(std::move(may.error()), "channel");
  available_qos = checked_ranges(required_qos, Level::channel, registry_.parts().limits);
}

CosNotification::AdminProperties ChannelServant::get_admin() {
  return properties_of(existing()->admin_properties());
}

void ChannelServant::set_admin(const CosNotification::AdminProperties& admin) {
  auto set = registry_.set_admin(*existing(), admin);
  if (set) return;
  if (auto* unsupported = std::get_if<UnsupportedAdmin>(&set.error()))
    throw_unsupported_admin(std::move(unsupported->errors));
  throw_refusal(std::get<Refusal>(set.error()), "channel");
}

Ref<CosNotifyChannelAdmin::EventChannelFactory> ChannelServant::MyFactory() {
  existing();
  return references_.factory();
}

Ref<CosNotifyFilter::FilterFactory> ChannelServant::default_filter_factory() {
  existing();
  return references_.filter_factory();
}

AdminPtr ChannelServant::admin(Side side, std::int32_t number) const {
  auto found = existing()->admin(side, number);
  if (!found) throw CosNotifyChannelAdmin::AdminNotFound();
  return found;
}

AdminPtr ChannelServant::new_admin(Side side, Operator op) const {
  auto made = registry_.make_admin(existing(), side, combination_of(op));
  if (!made) throw_refusal(made.error(), "channel");
  return *std::move(made);
}

std::vector<std::int32_t> ChannelServant::numbers(Side side) const {
  std::vector<std::int32_t> numbers;
  for (const AdminPtr& each : existing()->admins(side)) numbers.push_back(each->number());
  return numbers;
}

ChannelServant::ConsumerAdminRef ChannelServant::default_consumer_admin() { return get_consumeradmin(0); }
ChannelServant::SupplierAdminRef ChannelServant::default_supplier_admin() { return get_supplieradmin(0); }

ChannelServant::ConsumerAdminRef ChannelServant::new_for_consumers(Operator op,
                                                                   CosNotifyChannelAdmin::AdminID& id) {
  const AdminPtr made = new_admin(Side::consumers, op);
  id = made->number();
  return references_.of_consumers(*made);
}

ChannelServant::SupplierAdminRef ChannelServant::new_for_suppliers(Operator op,
                                                                   CosNotifyChannelAdmin::AdminID& id) {
  const AdminPtr made = new_admin(Side::suppliers, op);
  id = made->number();
  return references_.of_suppliers(*made);
}

ChannelServant::ConsumerAdminRef ChannelServant::get_consumeradmin(CosNotifyChannelAdmin::AdminID id) {
  return references_.of_consumers(*admin(Side::consumers, id));
}

ChannelServant::SupplierAdminRef ChannelServant::get_supplieradmin(CosNotifyChannelAdmin::AdminID id) {
  return references_.of_suppliers(*admin(Side::suppliers, id));
}

void ChannelServant::destroy() {
  if (const auto done = registry_.destroy(existing()); !done) throw_refusal(done.error(), "channel");
}

}  // namespace takt::notification
