// A device of one flow as a CORBA object, for the full profile.
#pragma once

#include <string>

#include "streams/service/flow_end_point.h"

namespace takt::streams {

// Makes end points with that flow alone, which count as the device's. It makes no flow connections: clients
// have these.
class FlowDeviceServant final : public PropertySetServant<AVStreams::FDev> {
  using Device = AVStreams::FDev;
  using Quality = AVStreams::QoS;

 public:
  // Both must outlive it.
  FlowDeviceServant(const FlowOffer& offer, Parts& parts)
      : PropertySetServant(parts.limits, parts.adapter), offer_(offer), parts_(parts) {}

  Ref<FlowProducerStub> create_producer(Ref<FlowConnectionStub> requester, Quality& quality, bool& met,
                                        std::string& name) override;
  Ref<FlowConsumerStub> create_consumer(Ref<FlowConnectionStub> requester, Quality& quality, bool& met,
                                        std::string& name) override;
  Ref<FlowConnectionStub> bind(Ref<Device>, Quality&, bool&) override { refuse_to_bind(); }
  Ref<FlowConnectionStub> bind_mcast(Ref<Device>, Quality&, bool&) override { refuse_to_bind(); }
  void destroy(Ref<FlowEndPointStub> end_point, const std::string& name) override;

 private:
  [[noreturn]] static void refuse_to_bind() {
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "flow connections of devices: clients make them");
  }
  ObjectRef made(Side side, Quality& quality, bool& met, std::string& name);

  const FlowOffer& offer_;
  Parts& parts_;
};

}  // namespace takt::streams
