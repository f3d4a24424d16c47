#include "streams/service/flow_device.h"

#include <algorithm>
#include <memory>

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

// None of this device's end points in the connection has carried frames for a while, or it has none.
bool FlowDeviceServant::is_unused(const FlowConnectionServant& connection) {
  const auto bound = connection.all();
  std::vector<std::shared_ptr<EndPoint>> own;
  {
    const std::lock_guard lock(parts_.mutex);
    for (const auto& [number, each] : parts_.end_points)
      if (std::ranges::any_of(bound, [&](const auto& end) { return each->is_known_as(end); }))
        own.push_back(each);
  }
  const auto since = os::Clock::now() - parts_.limits.unused_after;
  return std::ranges::all_of(own, [since](const auto& each) { return each->unused_since(since); });
}

// No message says that a client has left: the oldest connection whose flow carries nothing gives way. Another
// call may take its place first; then the next one gives way.
void FlowDeviceServant::take_place() {
  while (true) {
    Connections all;
    {
      const std::lock_guard lock(mutex_);
      std::erase_if(connections_, [](const auto& each) { return each->is_destroyed(); });
      if (connections_.size() + being_made_ < parts_.limits.controls) {
        ++being_made_;
        return;
      }
      all = connections_;
    }
    const auto unused = std::ranges::find_if(all, [this](const auto& each) { return is_unused(*each); });
    if (unused == all.end())
      throw AVStreams::streamOpFailed("the device of this flow has made " +
                                      std::to_string(parts_.limits.controls) +
                                      " flow connections, which are all in use");
    (*unused)->destroy();
  }
}

Ref<FlowConnectionStub> FlowDeviceServant::bind(Ref<Device> peer, Quality& quality, bool& met) {
  if (!peer) throw AVStreams::streamOpFailed("there is no device to bind with");
  take_place();
  const auto give_back = [this](void*) {
    const std::lock_guard lock(mutex_);
    --being_made_;
  };
  std::unique_ptr<FlowDeviceServant, decltype(give_back)> place(this, give_back);
  const auto made = make_flow_connection(parts_.adapter, parts_.limits);
  try {
    met = offer_.source ? made.servant->connect_devs(own_, peer, quality)
                        : made.servant->connect_devs(peer, own_, quality);
  } catch (const CORBA::Exception& failure) {
    made.servant->destroy();
    if (const auto* denied = dynamic_cast<const AVStreams::streamOpDenied*>(&failure))
      throw AVStreams::streamOpFailed(denied->reason());
    throw;
  }
  const std::lock_guard lock(mutex_);
  connections_.push_back(made.servant);
  place.release();
  --being_made_;
  return made.reference;
}

void FlowDeviceServant::destroy(Ref<FlowEndPointStub> end_point, const std::string&) {
  destroy_end_point(parts_, end_point);
}

}  // namespace takt::streams
