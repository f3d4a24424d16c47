#include "streams/service/device_servant.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "streams/service/end_points.h"
#include "streams/service/flow_device.h"

namespace takt::streams {

DeviceServant::DeviceServant(Parts& parts) : PropertySetServant(parts.limits, parts.adapter), parts_(parts) {
  Flows names;
  for (const FlowOffer& each : parts.offers) names.push_back(each.name);
  CORBA::Any value;
  value <<= names;
  properties().fix("Flows", value);
}

// Whether flows of this device's end points of the stream have carried frames.
bool DeviceServant::carries_frames(const ControlServant& control, os::TimePoint since) const {
  const auto bound = control.end_points();
  std::vector<std::shared_ptr<EndPoint>> own;
  {
    const std::lock_guard lock(parts_.mutex);
    for (const auto& [number, each] : parts_.end_points)
      if (std::ranges::any_of(bound, [&](const auto& end) { return each->is_known_as(end); }))
        own.push_back(each);
  }
  return std::ranges::any_of(own, [since](const auto& each) { return !each->unused_since(since); });
}

void DeviceServant::Controls::remove(std::uint64_t number) {
  decltype(all)::node_type removed;  // the servant ends after the lock
  const std::lock_guard lock(mutex);
  removed = all.extract(number);
}

// A place for a new control.
std::uint64_t DeviceServant::numbered_control() {
  for (;; make_room_for_control()) {
    const std::lock_guard lock(controls_->mutex);
    if (controls_->all.size() >= parts_.limits.controls) continue;
    controls_->all.emplace(++controls_->last_number, nullptr);
    return controls_->last_number;
  }
}

// No message says that a client has left. The control whose last call is the oldest gives way if nothing
// flows, or if its lease has ended.
void DeviceServant::make_room_for_control() {
  std::vector<CORBA::servant_reference<ControlServant>> all;
  {
    const std::lock_guard lock(controls_->mutex);
    for (const auto& [number, control] : controls_->all)
      if (control && !control->is_destroyed()) all.push_back(control);
  }
  const auto now = os::Clock::now();
  const auto unused = now - parts_.limits.unused_after, expired = now - parts_.limits.control_lease;
  std::ranges::sort(all, {}, [](const auto& each) { return each->last_call(); });
  for (const auto& each : all)
    if (each->last_call() <= expired || (each->last_call() <= unused && !carries_frames(*each, unused)))
      return each->abandon();
  throw AVStreams::streamOpFailed("the device has made " + std::to_string(parts_.limits.controls) +
                                  " stream controls, which are all in use");
}

template <class Interface, class Servant>
Ref<Interface> DeviceServant::create(Side side, Ref<VirtualDeviceStub>& device, Quality& quality, bool& met,
                                     std::string& name, const Flows& flows) {
  const auto end_point = made_end_point(parts_, side, quality, flows);
  PortableServer::POA& adapter = *parts_.adapter;
  const auto own = activated<Interface>(adapter, CORBA::make_reference<Servant>(end_point, parts_));
  device =
      activated<VirtualDeviceStub>(adapter, CORBA::make_reference<VirtualDeviceServant>(end_point, parts_));
  end_point->set_references(own, device);
  met = end_point->met();
  name = "VDev" + std::to_string(end_point->number());
  keep_end_point(parts_, end_point);
  return own;
}

Ref<EndPointAStub> DeviceServant::create_A(Ref<ControlStub>, Ref<VirtualDeviceStub>& device, Quality& quality,
                                           bool& met, std::string& name, const Flows& flows) {
  return create<EndPointAStub, EndPointAServant>(Side::a, device, quality, met, name, flows);
}

Ref<EndPointBStub> DeviceServant::create_B(Ref<ControlStub>, Ref<VirtualDeviceStub>& device, Quality& quality,
                                           bool& met, std::string& name, const Flows& flows) {
  return create<EndPointBStub, EndPointBServant>(Side::b, device, quality, met, name, flows);
}

namespace {

// It may have given way to another one meanwhile.
void discard(const Ref<ControlStub>& control) {
  try {
    control->unbind();
  } catch (const CORBA::OBJECT_NOT_EXIST&) {  // NOLINT(bugprone-empty-catch): it has no end points any more
  }
}

}  // namespace

Ref<ControlStub> DeviceServant::bound(const Ref<DeviceStub>& peer,
                                      const std::function<void(ControlStub&)>& bind) {
  if (!peer) throw AVStreams::streamOpFailed("there is no device to bind with");
  const std::uint64_t number = numbered_control();
  const auto remove = [controls = std::weak_ptr(controls_), number] {
    if (const auto all = controls.lock()) all->remove(number);
  };
  Ref<ControlStub> control;
  try {
    auto made = make_control(parts_.adapter, parts_.limits, remove);
    control = made.reference;
    const std::lock_guard lock(controls_->mutex);
    controls_->all[number] = std::move(made.servant);
  } catch (const CORBA::Exception&) {
    remove();
    throw;
  }
  try {
    bind(*control);
    return control;
  } catch (const CORBA::Exception&) {
    discard(control);
    throw;
  }
}

Ref<ControlStub> DeviceServant::bind(Ref<DeviceStub> peer, Quality& quality, bool& met, const Flows& flows) {
  return bound(peer, [&](ControlStub& control) { met = control.bind_devs(own_, peer, quality, flows); });
}

// A stream whose control can bind more consumers.
Ref<ControlStub> DeviceServant::bind_mcast(Ref<DeviceStub> peer, Quality& quality, bool& met,
                                           const Flows& flows) {
  return bound(peer, [&](ControlStub& control) {
    met = control.bind_devs(own_, nullptr, quality, flows);
    met = control.bind_devs(nullptr, peer, quality, flows) && met;
  });
}

void DeviceServant::destroy(Ref<EndPointStub> end_point, const std::string&) {
  destroy_end_point(parts_, end_point);
}

ObjectRef DeviceServant::get_fdev(const std::string& flow) {
  const FlowOffer* const offer = parts_.offer(flow);
  if (!offer) throw AVStreams::noSuchFlow();
  const std::lock_guard lock(flow_devices_mutex_);
  ObjectRef& device = flow_devices_[flow];
  if (!device) {
    const auto servant = CORBA::make_reference<FlowDeviceServant>(*offer, parts_);
    const auto made = activated<AVStreams::FDev>(*parts_.adapter, servant);
    servant->set_reference(made);
    device = made;
  }
  return device;
}

MadeControl make_control(const Ref<PortableServer::POA>& adapter, const Limits& limits,
                         std::function<void()> ended) {
  auto servant = CORBA::make_reference<ControlServant>(adapter, limits, std::move(ended));
  const auto control = activated<ControlStub>(*adapter, servant);
  servant->set_reference(control);
  return {std::move(servant), control};
}

Takt::Streams::State StateServant::look() {
  std::vector<std::shared_ptr<EndPoint>> all;
  {
    const std::lock_guard lock(parts_.mutex);
    for (const auto& [number, end_point] : parts_.end_points) all.push_back(end_point);
  }
  Takt::Streams::State state;
  for (const auto& end_point : all) {
    for (const FlowView& each : end_point->look()) {
      const FlowCounts& counts = each.counts;
      state.flows().push_back({std::to_string(end_point->number()), each.name, each.produces, each.format,
                               each.carrier, static_cast<Takt::Streams::FlowState>(each.state),
                               each.frame_rate, counts.frames, counts.octets, counts.lost, counts.late,
                               counts.incomplete, counts.refused, counts.jitter_ns, counts.jitter_p99_ns,
                               counts.jitter_worst_ns});
    }
  }
  state.end_points(all.size());
  state.connections(parts_.connections.load(std::memory_order_relaxed));
  state.refusals(parts_.refusals.load(std::memory_order_relaxed));
  return state;
}

}  // namespace takt::streams
