#include "ior/endpoints.h"

#include <algorithm>
#include <string>

#include "giop/contexts/priorities.h"
#include "giop/references/profile.h"
#include "giop/references/secure_transport.h"
#include "ior/profiles.h"

namespace takt::command {
namespace {

using giop::HostPort;

// Components with other addresses, which would lead away from the endpoint under test.
bool names_other_endpoint(const giop::TaggedComponent& component) {
  return component.tag == giop::alternate_address_component || component.tag == giop::unix_path_component ||
         component.tag == giop::ssl_component || component.tag == giop::priority_endpoints_component ||
         component.tag == giop::policies_component;
}

std::vector<HostPort> addresses_of(const giop::IiopProfile& profile, bool has_ports) {
  std::vector<HostPort> all = profile.addresses();
  for (const auto& component : profile.components)
    for (auto& endpoint : giop::read_priority_endpoints(component, has_ports))
      all.push_back(std::move(endpoint.address));
  if (has_ports && profile.port == 0) std::erase(all, HostPort{profile.host, 0});
  return all;
}

void use_tls_port_only(giop::IiopProfile& profile) {
  using namespace giop::association;
  const auto protection = static_cast<Options>(integrity | confidentiality);
  profile.components.push_back(giop::make_secure_transport_component({protection, protection, profile.port}));
  profile.port = 0;
}

void add(std::vector<ReachableEndpoint>& ways, ReachableEndpoint way, giop::IiopProfile profile,
         giop::ProfileLayout form) {
  const auto same = [&](const ReachableEndpoint& each) { return each.endpoint == way.endpoint; };
  if (std::ranges::any_of(ways, same)) return;
  std::erase_if(profile.components, names_other_endpoint);
  profile.host = way.endpoint.host;
  profile.port = way.endpoint.port;
  if (way.endpoint.protocol == "ssliop") use_tls_port_only(profile);
  way.only.profiles = {giop::write_profile(profile, form)};
  ways.push_back(std::move(way));
}

// Null if no other process can reach the profile's endpoints, or the transport has no profiles of its own.
const transport::Transport* transport_of(const cdr::TaggedProfile& profile,
                                         const transport::TransportRegistry& transports) {
  if (form_of(profile.tag) && !is_understood(profile.tag)) return nullptr;
  const transport::Transport* const transport = transports.find_by_profile(profile.tag);
  return transport && !transport->profile_form().component ? transport : nullptr;
}

}  // namespace

std::vector<ReachableEndpoint> reachable_endpoints(const cdr::Ior& ior,
                                                   const transport::TransportRegistry& transports) {
  constexpr giop::ProfileLayout path_form{giop::unix_profile, false};
  std::vector<ReachableEndpoint> ways;
  for (std::size_t i = 0; i < ior.profiles.size(); ++i) {
    const auto* const transport = transport_of(ior.profiles[i], transports);
    if (!transport) continue;
    const std::string protocol(transport->name());
    const giop::ProfileLayout form{ior.profiles[i].tag, transport->profile_form().has_port};
    const auto profile = giop::read_profile(ior.profiles[i], form);
    if (!profile) continue;
    for (const HostPort& address : addresses_of(*profile, form.has_port))
      add(ways, {i, {protocol, address.host, address.port}, {}}, *profile, form);
    for (const auto& component : profile->components)
      if (const auto tls = giop::read_secure_transport(component); tls && tls->port != 0 && form.has_port)
        add(ways, {i, {"ssliop", profile->host, tls->port}, {}}, *profile, form);
    for (const auto& component : profile->components)
      if (const auto path = giop::read_unix_path(component))
        add(ways, {i, {"unix", path->path, 0}, {}}, *profile, path_form);
  }
  return ways;
}

}  // namespace takt::command
