// A device of one flow as a CORBA object, for the full profile.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "streams/service/flow_connection.h"

namespace takt::streams {

// Makes end points with that flow alone, which count as the device's, and a limited number of flow
// connections.
class FlowDeviceServant final : public PropertySetServant<AVStreams::FDev> {
  using Device = AVStreams::FDev;
  using Quality = AVStreams::QoS;

 public:
  // Both must outlive it.
  FlowDeviceServant(const FlowOffer& offer, Parts& parts)
      : PropertySetServant(parts.limits, parts.adapter), offer_(offer), parts_(parts) {}

  void set_reference(Ref<Device> own) { own_ = std::move(own); }

  Ref<FlowProducerStub> create_producer(Ref<FlowConnectionStub> requester, Quality& quality, bool& met,
                                        std::string& name) override;
  Ref<FlowConsumerStub> create_consumer(Ref<FlowConnectionStub> requester, Quality& quality, bool& met,
                                        std::string& name) override;
  // The device that has a source produces; with one at both ends, this one.
  Ref<FlowConnectionStub> bind(Ref<Device> peer, Quality& quality, bool& met) override;
  // The same: each flow connection can get more consumers.
  Ref<FlowConnectionStub> bind_mcast(Ref<Device> peer, Quality& quality, bool& met) override {
    return bind(std::move(peer), quality, met);
  }
  void destroy(Ref<FlowEndPointStub> end_point, const std::string& name) override;

 private:
  using Connections = std::vector<CORBA::servant_reference<FlowConnectionServant>>;

  bool is_unused(const FlowConnectionServant& connection);
  // Waits for no other call to bind(). Throws streamOpFailed.
  void take_place();
  ObjectRef made(Side side, Quality& quality, bool& met, std::string& name);

  const FlowOffer& offer_;
  Parts& parts_;
  Ref<Device> own_;
  std::mutex mutex_;            // guards what follows
  Connections connections_;     // those that bind() has made, until they are destroyed
  std::size_t being_made_ = 0;  // places that calls of bind() have taken, and have no connection yet
};

}  // namespace takt::streams
