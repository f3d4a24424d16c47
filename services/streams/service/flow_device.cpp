#include "streams/service/flow_device.h"

#include "streams/service/end_points.h"

namespace takt::streams {

ObjectRef FlowDeviceServant::made(Side side, Quality& quality, bool& met, std::string& name) {
  AVStreams::streamQoS all{{offer_.name, quality.QoSParams()}};
  const auto end_point = made_end_point(parts_, side, all, {offer_.name});
  quality.QoSParams(all.front().QoSParams());
  met = end_point->met();
  const ObjectRef flow = flow_end_point_of(end_point, offer_.name, parts_);
  end_point->set_references(nullptr, flow);
  name = "Flow" + std::to_string(end_point->number());
  keep_end_point(parts_, end_point);
  return flow;
}

Ref<FlowProducerStub> FlowDeviceServant::create_producer(Ref<FlowConnectionStub>, Quality& quality, bool& met,
                                                         std::string& name) {
  if (!offer_.source) throw AVStreams::notSupported();
  return IDL::traits<FlowProducerStub>::unchecked_narrow(made(Side::a, quality, met, name));
}

// As side B, a flow that the device could produce, too, is consumed.
Ref<FlowConsumerStub> FlowDeviceServant::create_consumer(Ref<FlowConnectionStub>, Quality& quality, bool& met,
                                                         std::string& name) {
  if (!offer_.sink) throw AVStreams::notSupported();
  return IDL::traits<FlowConsumerStub>::unchecked_narrow(made(Side::b, quality, met, name));
}

void FlowDeviceServant::destroy(Ref<FlowEndPointStub> end_point, const std::string&) {
  destroy_end_point(parts_, end_point);
}

}  // namespace takt::streams
