#include "notification/service/factory_servant.h"

namespace takt::notification {

FactoryServant::ChannelRef FactoryServant::create_channel(
    const CosNotification::QoSProperties& initial_qos, const CosNotification::AdminProperties& initial_admin,
    Id& id) {
  return create_named_channel(initial_qos, initial_admin, id, "");
}

FactoryServant::ChannelRef FactoryServant::create_named_channel(
    const CosNotification::QoSProperties& initial_qos, const CosNotification::AdminProperties& initial_admin,
    Id& id, const std::string& name) {
  if (name.size() > registry_.parts().limits.name_bytes) throw_refusal(Refusal::too_long, "channel");
  auto made = make_(name, initial_qos, initial_admin);
  if (!made) {
    Registry::ChannelFault& fault = made.error();
    if (auto* qos = std::get_if<UnsupportedQos>(&fault)) throw_unsupported(std::move(qos->errors));
    if (auto* admin = std::get_if<UnsupportedAdmin>(&fault))
      throw_unsupported_admin(std::move(admin->errors));
    const Refusal refusal = std::get<Refusal>(fault);
    if (refusal == Refusal::name_taken) throw NotifyMonitoringExt::NameAlreadyUsed();
    throw_refusal(refusal, "channel");
  }
  id = (*made)->number();
  return references_.of(**made);
}

CosNotifyChannelAdmin::ChannelIDSeq FactoryServant::get_all_channels() {
  CosNotifyChannelAdmin::ChannelIDSeq ids;
  for (const ChannelPtr& channel : registry_.channels()) ids.push_back(channel->number());
  return ids;
}

FactoryServant::ChannelRef FactoryServant::get_event_channel(Id id) {
  const ChannelPtr found = registry_.channel(id);
  if (!found) throw CosNotifyChannelAdmin::ChannelNotFound();
  return references_.of(*found);
}

}  // namespace takt::notification
