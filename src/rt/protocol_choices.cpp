#include "rt/protocol_choices.h"

#include <algorithm>
#include <string>

#include "reference/policies/call_policies.h"

namespace takt::rt {

namespace {

using RTCORBA::ProtocolProperties;
using Reference = CORBA::object_reference<ProtocolProperties>;

[[noreturn]] void refuse(const std::string& why) { throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, why); }

// Sets a value unless it is below `least`, which leaves it to the ORB.
template <class Value, class To>
void put(Value value, Value least, Value most, const char* what, To& to) {
  if (value > most)
    refuse(std::string(what) + " " + std::to_string(value) + " is more than " + std::to_string(most));
  if (value >= least) to = typename To::value_type(value);
}

void put_buffers(const RTCORBA::SocketBufferProperties& properties, transport::StreamOverrides& streams) {
  constexpr std::int32_t most = 1 << 30;
  put(properties.send_buffer_size(), 1, most, "send_buffer_size", streams.send_buffer_bytes);
  put(properties.recv_buffer_size(), 1, most, "recv_buffer_size", streams.receive_buffer_bytes);
}

void put_tcp(const RTCORBA::TCPProtocolProperties& properties, transport::StreamOverrides& streams) {
  put_buffers(properties, streams);
  streams.keep_alive = properties.keep_alive();
  streams.dont_route = properties.dont_route();
  streams.no_delay = properties.no_delay();
}

void put_rings(const RTCORBA::SharedMemoryProtocolProperties& properties,
               transport::StreamOverrides& streams) {
  std::optional<int> usual;
  put(properties.preallocate_buffer_size(), 1, 1 << 30, "preallocate_buffer_size", usual);
  streams.send_buffer_bytes = streams.receive_buffer_bytes = usual;
  put_buffers(properties, streams);
  if (usual) streams.preallocate = true;
}

using transport::Marking;

void put_by_priority(const SocketProperties::ByPriority& values, std::int32_t most, const char* what,
                     int Marking::* which, transport::MarkingByPriority& to) {
  for (const auto& [priority, value] : values) {
    if (priority < 0 || value < 0 || value > most)
      refuse(std::string(what) + " " + std::to_string(priority) + "=" + std::to_string(value) +
             ": priorities are from 0 to 32767, and what is given for them from 0 to " +
             std::to_string(most));
    Marking marking;
    marking.*which = value;
    to.give(priority, marking);
  }
}

void put_quality(const SocketProperties& properties, transport::StreamOverrides& streams) {
  put_by_priority(properties.traffic_classes(), Marking::highest_dscp, "traffic_classes", &Marking::dscp,
                  streams.by_priority);
  put_by_priority(properties.priorities(), Marking::highest_priority, "priorities", &Marking::priority,
                  streams.by_priority);
  put(properties.traffic_class(), 0, Marking::highest_dscp, "traffic_class", streams.dscp);
  put(properties.priority(), 0, Marking::highest_priority, "priority", streams.priority);
  put(properties.busy_poll(), 0, 1'000'000, "busy_poll", streams.busy_poll);
}

// All other profile tags belong to plug-ins.
constexpr std::uint32_t of_the_orb[] = {TCP_PROTOCOL_TYPE,        TLS_PROTOCOL_TYPE,
                                        UNIX_PROTOCOL_TYPE,       SHARED_MEMORY_PROTOCOL_TYPE,
                                        IN_PROCESS_PROTOCOL_TYPE, UDP_PROTOCOL_TYPE};

transport::StreamOverrides overrides_of(std::uint32_t protocol, const Reference& properties) {
  transport::StreamOverrides streams;
  if (!properties) return streams;
  const auto* const any = properties.shared().get();
  const auto* const own = dynamic_cast<const TransportProtocolProperties*>(any);
  if (own && std::ranges::find(of_the_orb, protocol) == std::end(of_the_orb)) {
    streams.settings = own->settings();
    return streams;
  }
  const auto* const shm = dynamic_cast<const RTCORBA::SharedMemoryProtocolProperties*>(any);
  const auto* const tcp = shm ? nullptr : dynamic_cast<const RTCORBA::TCPProtocolProperties*>(any);
  const auto* const uds = dynamic_cast<const RTCORBA::UnixDomainProtocolProperties*>(any);
  const bool rings = protocol == SHARED_MEMORY_PROTOCOL_TYPE || protocol == IN_PROCESS_PROTOCOL_TYPE;
  if (protocol == UNIX_PROTOCOL_TYPE ? !uds : rings ? !shm : !tcp)
    refuse(
        "transport_protocol_properties of another protocol: TCP takes TCPProtocolProperties and "
        "takt::SocketProperties, UNIX UnixDomainProtocolProperties, shared memory and inproc "
        "SharedMemoryProtocolProperties, a plug-in takt::TransportProtocolProperties");
  if (uds) put_buffers(*uds, streams);
  if (tcp) put_tcp(*tcp, streams);
  if (shm) put_rings(*shm, streams);
  if (const auto* const quality = dynamic_cast<const SocketProperties*>(any)) put_quality(*quality, streams);
  return streams;
}

// Empty: -ORBMessaging and -ORBCompression apply.
std::optional<giop::Messaging> messaging_of(const Reference& properties) {
  if (!properties) return std::nullopt;
  const auto* const any = properties.shared().get();
  if (const auto* const compressed = dynamic_cast<const CompressedProtocolProperties*>(any)) {
    auto inside = messaging_of(compressed->inside()).value_or(giop::Messaging::giop);
    inside.compression = true;
    if (compressed->methods().size() > giop::MethodNames::longest)
      refuse("takt::CompressedProtocolProperties: names of methods that are longer than 63 octets");
    inside.methods = giop::MethodNames(compressed->methods());
    return inside;
  }
  if (dynamic_cast<const GIOPLiteProtocolProperties*>(any)) return giop::Messaging::lite;
  if (dynamic_cast<const RTCORBA::GIOPProtocolProperties*>(any)) return giop::Messaging::giop;
  refuse(
      "orb_protocol_properties of no messaging protocol: there are RTCORBA::GIOPProtocolProperties, "
      "takt::GIOPLiteProtocolProperties and takt::CompressedProtocolProperties");
}

}  // namespace

[[gnu::cold]] reference::ProtocolChoices choices_of(const RTCORBA::ProtocolList& protocols) {
  if (protocols.empty()) refuse("an empty list of protocols, which allows no call");
  reference::ProtocolChoices choices;
  for (const RTCORBA::Protocol& protocol : protocols) {
    const std::uint32_t type = protocol.protocol_type();
    const auto messaging = messaging_of(protocol.orb_protocol_properties());
    if (std::ranges::any_of(choices, [&](const reference::ProtocolChoice& choice) {
          return choice.protocol == type && choice.messaging == messaging;
        }))
      refuse("protocol " + std::to_string(type) + " comes twice");
    choices.push_back({type, overrides_of(type, protocol.transport_protocol_properties()), messaging});
  }
  return choices;
}

reference::ProtocolChoices choices_of_server(const RTCORBA::ProtocolList& protocols) {
  auto choices = choices_of(protocols);
  for (auto choice = choices.begin(); choice != choices.end(); ++choice)
    if (std::find_if(choices.begin(), choice, [&](const reference::ProtocolChoice& earlier) {
          return earlier.protocol == choice->protocol;
        }) != choice)
      refuse("protocol " + std::to_string(choice->protocol) +
             " comes twice: a server that speaks GIOPlite speaks GIOP, too");
  return choices;
}

}  // namespace takt::rt

namespace RTCORBA {

using takt::rt::choices_of;
using takt::rt::choices_of_server;

ServerProtocolPolicy::ServerProtocolPolicy(ProtocolList protocols) : protocols_(std::move(protocols)) {
  choices_of_server(protocols_);
}

CORBA::object_reference<CORBA::Policy> ServerProtocolPolicy::copy() {
  return CORBA::make_reference<ServerProtocolPolicy>(protocols_);
}

struct ClientProtocolPolicy::Choices {
  std::shared_ptr<const takt::reference::ProtocolChoices> list;
};

ClientProtocolPolicy::ClientProtocolPolicy(ProtocolList protocols)
    : protocols_(std::move(protocols)),
      choices_(std::make_unique<const Choices>(
          std::make_shared<const takt::reference::ProtocolChoices>(choices_of(protocols_)))) {}

ClientProtocolPolicy::~ClientProtocolPolicy() = default;

CORBA::object_reference<CORBA::Policy> ClientProtocolPolicy::copy() {
  return CORBA::make_reference<ClientProtocolPolicy>(protocols_);
}

void ClientProtocolPolicy::apply_to(takt::reference::CallPolicies& policies) const {
  policies.protocols = choices_->list;
}

}  // namespace RTCORBA
