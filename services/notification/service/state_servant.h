// The state of a notification service as a CORBA object, for operators.
#pragma once

#include "Takt_NotificationS.h"
#include "notification/service/access.h"

namespace takt::notification {

class StateServant final : public virtual CORBA::servant_traits<Takt::Notification::Service>::base_type,
                           private Access {
 public:
  using Access::Access;
  Takt::Notification::State look(std::uint32_t most_clients) override;
  Ref<CosNotifyChannelAdmin::EventChannel> find_channel(const std::string& name) override;
};

}  // namespace takt::notification
