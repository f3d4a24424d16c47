#include "reference/target.h"

#include <algorithm>
#include <optional>

#include "giop/references/group.h"
#include "reference/profiles.h"
#include "reference/references.h"
#include "reference/server_routes.h"

namespace takt::reference {

namespace {

// Limit of routes per reference; further profiles are ignored. It bounds the memory and the connection
// attempts that a hostile reference can cause.
constexpr std::size_t max_routes = 32;

std::optional<Route> make_route(References& references, const cdr::TaggedProfile& tagged, bool paths,
                                const Agreement* agreed) {
  Route route;
  if (tagged.tag == giop::group_profile) {  // a group has no object key; its profile identifies the target
    route.server = make_group_route(references, tagged, agreed);
    route.prepared = giop::PreparedTarget::for_profile(tagged);
  } else if (auto known = read_profile(references, tagged)) {
    route.server = references.server_routes.to(references, *known, paths, agreed);
    if (!route.server) return std::nullopt;
    route.object_key = std::move(known->profile.object_key);
    route.prepared = giop::PreparedTarget::for_key({1, route.server->giop_minor}, route.object_key);
  }
  if (!route.server) return std::nullopt;
  return route;
}

bool is_local(const References& references, const Route& route) {
  return std::ranges::any_of(route.server->addresses, [&](const Route::Address& address) {
    return references.own_endpoints.has(address.endpoint);
  });
}

}  // namespace

std::shared_ptr<const Target> make_target(References& references, cdr::Ior ior, ByteView local_key,
                                          const Agreement* agreed) {
  auto target = std::make_shared<Target>();
  target->local_key.assign(local_key.begin(), local_key.end());
  const transport::Transport* const uds = references.transports.find("unix");
  const bool paths = uds && std::ranges::none_of(ior.profiles, [&](const cdr::TaggedProfile& profile) {
                       return profile.tag == uds->profile_form().tag;
                     });
  for (std::uint32_t i = 0; i < ior.profiles.size() && target->routes.size() < max_routes; ++i) {
    auto route = make_route(references, ior.profiles[i], paths, agreed);
    if (!route) continue;
    route->profile = i;
    if (target->local_key.empty() && is_local(references, *route)) target->local_key = route->object_key;
    target->routes.push_back(std::move(*route));
  }
  target->ior = std::move(ior);
  if (agreed) target->agreed = std::make_unique<const Agreement>(*agreed);
  return target;
}

}  // namespace takt::reference
