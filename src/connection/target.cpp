#include "connection/target.h"

#include <algorithm>

#include "connection/orb_core.h"
#include "giop/code_set_negotiation.h"
#include "giop/profile.h"

namespace takt::connection {

namespace {

constexpr std::size_t max_addresses = 64;  // of one profile; further ones are left out

// What client and server make of each other's code sets; without a component, or before GIOP 1.1, the
// default.
void choose_code_sets(const OrbCore& core, const giop::IiopProfile& profile, Route& route) {
  const auto* component = route.giop_minor > 0 ? profile.find(giop::code_sets_component) : nullptr;
  if (!component || !core.code_sets) return;
  const auto server = giop::read_code_sets_component(*component);
  const auto chosen = server ? cdr::negotiate(*core.code_sets, *server) : std::nullopt;
  if (!chosen) return;
  route.code_sets = *chosen;
  route.code_set_context = giop::write_code_set_context(*chosen);
}

// Connections are shared by what a connection is bound to: the address, and the code sets chosen for it.
std::string connection_description(const transport::Endpoint& endpoint, const Route& route) {
  return transport::to_text(endpoint) + " " +
         std::to_string(static_cast<std::uint32_t>(route.code_sets.narrow)) + "," +
         std::to_string(static_cast<std::uint32_t>(route.code_sets.wide)) + "," +
         (route.giop_minor >= 2 ? "2" : std::to_string(route.giop_minor));
}

std::optional<Route> make_route(OrbCore& core, const cdr::TaggedProfile& tagged) {
  auto profile = giop::read_iiop_profile(tagged);
  if (!profile) return std::nullopt;
  Route route;
  route.giop_minor = std::min(profile->version.minor, core.options.giop_minor);
  choose_code_sets(core, *profile, route);
  route.prepared = giop::PreparedTarget::for_key({1, route.giop_minor}, profile->object_key);
  std::size_t count = 0;
  for (const giop::Address& address : profile->addresses()) {
    if (++count > max_addresses) break;
    const transport::Endpoint endpoint{"iiop", address.host, address.port};
    route.local |= core.is_ours(endpoint);
    if (address.port != 0)
      route.addresses.push_back({endpoint, core.connection_id(connection_description(endpoint, route))});
  }
  route.object_key = std::move(profile->object_key);
  return route;
}

}  // namespace

std::shared_ptr<const Target> make_target(OrbCore& core, cdr::Ior ior, ByteView local_key) {
  auto target = std::make_shared<Target>();
  target->local_key.assign(local_key.begin(), local_key.end());
  for (std::uint32_t i = 0; i < ior.profiles.size(); ++i) {
    auto route = make_route(core, ior.profiles[i]);
    if (!route) continue;
    route->profile = i;
    if (route->local && target->local_key.empty()) target->local_key = route->object_key;
    target->routes.push_back(std::move(*route));
  }
  // The routes stay where they are from now on.
  for (Route& route : target->routes) {
    route.format.giop_minor = route.giop_minor;
    route.format.code_sets = &route.code_sets;
    route.format.environment = core.environment;
  }
  target->ior = std::move(ior);
  return target;
}

}  // namespace takt::connection
