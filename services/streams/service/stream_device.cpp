#include "streams/service/stream_device.h"

#include <net/if.h>
#include <netdb.h>

#include <algorithm>
#include <set>
#include <utility>

#include "addresses/address_in.h"
#include "streams/model/flow_entry.h"
#include "streams/service/carriers.h"
#include "streams/service/device_servant.h"
#include "streams/service/end_point.h"

namespace takt::streams {
namespace {

using PortableServer::POA;

[[noreturn]] void throw_bad_offer(const FlowOffer& offer, const std::string& why) {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the flow '" + offer.name + "' " + why);
}

bool is_rate(double rate) { return rate >= least_rate && rate <= 1e6; }

void require_group(const FlowOffer& offer, const std::string& text) {
  const auto group = parse_carrier("UDP=" + text);
  if (!group || !is_group(*group))
    throw_bad_offer(offer,
                    "has the group '" + text +
                        "': groups are from 224.0.0.0 to 239.255.255.255, or of IPv6 and begin with ff, "
                        "with a port: 239.255.1.1:5004, [ff15::1]:5004");
}

void check_interface(const FlowOffer& offer) {
  if (offer.group.empty() && !offer.joins_groups) throw_bad_offer(offer, "has an interface, but no groups");
  if (if_nametoindex(offer.interface.c_str()) == 0)
    throw_bad_offer(offer, "has the interface '" + offer.interface + "', which this machine has not");
}

bool is_address(const std::string& text) {
  addrinfo numeric{};
  numeric.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (getaddrinfo(text.c_str(), nullptr, &numeric, &found) != 0) return false;
  freeaddrinfo(found);
  return true;
}

void check_senders(const FlowOffer& offer) {
  if (!offer.allowed_senders.empty() && !offer.joins_groups)
    throw_bad_offer(offer, "has a list of senders to groups, but joins no groups");
  for (const std::string& each : offer.allowed_senders)
    if (!is_address(each))
      throw_bad_offer(offer, "has the sender '" + each + "', which is no address, such as 192.0.2.7");
}

void check_group(const FlowOffer& offer) {
  if (offer.hops < 0 || offer.hops > 255) throw_bad_offer(offer, "has hops that are not from 0 to 255");
  if (offer.joins_groups && !offer.sink) throw_bad_offer(offer, "joins groups, but has no sink");
  for (const std::string& each : offer.allowed_groups) require_group(offer, each);
  check_senders(offer);
  if (!offer.interface.empty()) check_interface(offer);
  if (offer.group.empty()) {
    if (offer.hops != FlowOffer().hops) throw_bad_offer(offer, "has hops, but no group");
    return;
  }
  require_group(offer, offer.group);
  if (!offer.source) throw_bad_offer(offer, "has a group, but no source");
  if (std::ranges::find(offer.carriers, "UDP") == offer.carriers.end())
    throw_bad_offer(offer, "has a group, but not the carrier UDP");
}

void check_rates(const FlowOffer& offer) {
  if (offer.clock_rate == 0) throw_bad_offer(offer, "has a clock rate of 0");
  if (!is_rate(offer.bounds.frame_rate) || (offer.frame_rate != 0 && !is_rate(offer.frame_rate)))
    throw_bad_offer(offer, "has a frame rate that is not from 0.001 to 1000000");
  if (offer.bounds.priority < 0 || offer.bounds.priority > 99)
    throw_bad_offer(offer, "has a priority that is not from 0 to 99");
}

void check(const std::vector<FlowOffer>& offers) {
  std::set<std::string> names;
  for (const FlowOffer& each : offers) {
    const auto entry = parse_forward(each.name + "\\IN\\" + each.format, 1000);
    if (!entry || entry->name != each.name || entry->format != each.format)
      throw_bad_offer(each, "has a name or a format that flow specifications cannot hold");
    if (!names.insert(each.name).second) throw_bad_offer(each, "is offered twice");
    if (!each.source && !each.sink) throw_bad_offer(each, "has neither a source nor a sink");
    if (each.carriers.empty()) throw_bad_offer(each, "has no carriers");
    for (const std::string& carrier : each.carriers)
      if (transport_of(carrier).empty())
        throw_bad_offer(each, "has the carrier '" + carrier + "'; there are UDP, TCP and TLS");
    check_group(each);
    check_rates(each);
  }
}

Ref<POA> adapter_of(POA& root, const std::string& name, PortableServer::LifespanPolicyValue lifespan,
                    PortableServer::IdAssignmentPolicyValue ids) {
  return root.create_POA(name, root.the_POAManager(),
                         {root.create_lifespan_policy(lifespan), root.create_id_assignment_policy(ids)});
}

template <class Interface>
Ref<Interface> activated_as(POA& adapter, const char* name,
                            CORBA::servant_reference<PortableServer::Servant> servant) {
  const std::string id(name);
  const PortableServer::ObjectId octets(id.begin(), id.end());
  adapter.activate_object_with_id(octets, std::move(servant));
  return IDL::traits<Interface>::unchecked_narrow(adapter.id_to_reference(octets));
}

// "192.0.2.7" of "192.0.2.7:2814"; 127.0.0.1 for a reference without an address.
std::string host_in(const ObjectRef& reference) {
  const auto carrier = parse_carrier("HOST=" + addresses::address_in(addresses::ior_of(reference)));
  return carrier && carrier->has_address() ? carrier->host : "127.0.0.1";
}

}  // namespace

struct StreamDevice::Made {
  Parts parts;
  Ref<AVStreams::MMDevice> device;
};

std::unique_ptr<StreamDevice> StreamDevice::start(CORBA::object_reference<CORBA::ORB> orb, Options options) {
  using PortableServer::IdAssignmentPolicyValue, PortableServer::LifespanPolicyValue;
  check(options.offers);
  const auto root = IDL::traits<POA>::narrow(orb->resolve_initial_references("RootPOA"));
  auto made = std::make_unique<Made>();
  Parts& parts = made->parts;
  parts.orb = orb;
  parts.offers = std::move(options.offers);
  parts.limits = options.limits;
  parts.frame_memory.set_limit(options.limits.kept_bytes);
  parts.any_address = options.any_address;
  parts.configure = std::move(options.configure);
  parts.adapter =
      adapter_of(*root, "Streams", LifespanPolicyValue::TRANSIENT, IdAssignmentPolicyValue::SYSTEM_ID);
  const auto lasting =
      adapter_of(*root, "StreamDevice", LifespanPolicyValue::PERSISTENT, IdAssignmentPolicyValue::USER_ID);
  const auto servant = CORBA::make_reference<DeviceServant>(parts);
  made->device = activated_as<AVStreams::MMDevice>(*lasting, "device", servant);
  servant->set_reference(made->device);
  const auto state =
      activated_as<Takt::Streams::Service>(*lasting, "state", CORBA::make_reference<StateServant>(parts));
  parts.host = options.host.empty() ? host_in(made->device) : options.host;
  orb->register_object_key("MMDevice", made->device);
  orb->register_object_key("TaktStreams", state);
  return std::unique_ptr<StreamDevice>(new StreamDevice(std::move(made)));
}

StreamDevice::StreamDevice(std::unique_ptr<Made> made) : made_(std::move(made)) {}

StreamDevice::~StreamDevice() {
  std::map<std::uint64_t, std::shared_ptr<EndPoint>> all;
  {
    const std::lock_guard lock(made_->parts.mutex);
    all.swap(made_->parts.end_points);
  }
  for (const auto& [number, end_point] : all) end_point->disconnect({});
}

CORBA::object_reference<AVStreams::MMDevice> StreamDevice::reference() const { return made_->device; }

CORBA::object_reference<AVStreams::StreamCtrl> StreamDevice::make_control() const {
  return streams::make_control(made_->parts.adapter, made_->parts.limits).reference;
}

CORBA::object_reference<AVStreams::FlowConnection> StreamDevice::make_flow_connection() const {
  return streams::make_flow_connection(made_->parts.adapter, made_->parts.limits).reference;
}

Takt::Streams::State StreamDevice::state() const { return StateServant(made_->parts).look(); }

}  // namespace takt::streams
