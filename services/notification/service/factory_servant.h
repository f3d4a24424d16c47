// The factory of notification channels, with TAO's operation for channels with names.
#pragma once

#include <functional>
#include <string>

#include "notification/service/access.h"

namespace takt::notification {

class FactoryServant final
    : public virtual CORBA::servant_traits<NotifyMonitoringExt::EventChannelFactory>::base_type,
      private Access {
  using ChannelRef = Ref<CosNotifyChannelAdmin::EventChannel>;
  using Id = CosNotifyChannelAdmin::ChannelID;

 public:
  // Makes a channel, of which the name may be empty.
  using Make = std::function<std::expected<ChannelPtr, Registry::ChannelFault>(
      const std::string& name, const CosNotification::QoSProperties& qos,
      const CosNotification::AdminProperties& admin)>;

  FactoryServant(Registry& registry, const Adapters& adapters, Make make)
      : Access(registry, adapters), make_(std::move(make)) {}

  ChannelRef create_channel(const CosNotification::QoSProperties& initial_qos,
                            const CosNotification::AdminProperties& initial_admin, Id& id) override;
  ChannelRef create_named_channel(const CosNotification::QoSProperties& initial_qos,
                                  const CosNotification::AdminProperties& initial_admin, Id& id,
                                  const std::string& name) override;
  CosNotifyChannelAdmin::ChannelIDSeq get_all_channels() override;
  ChannelRef get_event_channel(Id id) override;

 private:
  const Make make_;
};

}  // namespace takt::notification
