// The factory of channels, with the interfaces of omniEvents' factory.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include "events/channel/registry.h"
#include "events/service/channel_servants.h"
#include "omniEventsS.h"

namespace takt::events {

// The settings that the criteria ask for. Criteria of other names are ignored, as in omniEvents. On failure
// the criterion that has a wrong type or value.
std::expected<ChannelSettings, CosLifeCycle::NameValuePair> settings_of(
    const CosLifeCycle::Criteria& criteria, const Limits& limits);

class FactoryServant final
    : public virtual CORBA::servant_traits<omniEvents::EventChannelFactory>::base_type {
 public:
  using Make = std::function<std::expected<ChannelRef, Refusal>(ChannelSettings settings)>;
  using Find = std::function<ChannelRef(const std::string& name)>;  // nil if there is none

  FactoryServant(Make make, Find find, const Limits& limits)
      : make_(std::move(make)), find_(std::move(find)), limits_(limits) {}

  bool supports(const CosLifeCycle::Key& key) override;
  CORBA::object_reference<CORBA::Object> create_object(const CosLifeCycle::Key& key,
                                                       const CosLifeCycle::Criteria& criteria) override;
  bool is_alive() override { return true; }
  CORBA::object_reference<CosEventChannelAdmin::EventChannel> create_channel(
      const std::string& name) override;
  CORBA::object_reference<CosEventChannelAdmin::EventChannel> join_channel(const std::string& name) override;

 private:
  const Make make_;
  const Find find_;
  const Limits limits_;
};

}  // namespace takt::events
