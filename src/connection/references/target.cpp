#include "connection/references/target.h"

#include <algorithm>
#include <optional>

#include "connection/orb_core.h"
#include "connection/references/profiles.h"
#include "connection/references/server_routes.h"
#include "giop/references/group.h"

namespace takt::connection {

namespace {

// Routes of one reference. Further profiles are left out, so that a hostile reference costs a bounded amount
// of memory and of attempts to connect.
constexpr std::size_t max_routes = 32;

std::optional<Route> make_route(OrbCore& core, const cdr::TaggedProfile& tagged, bool paths,
                                const Agreement* agreed) {
  Route route;
  if (tagged.tag == giop::group_profile) {  // the profile itself is the target's name, for there is no key
    route.server = make_group_route(core, tagged, agreed);
    route.prepared = giop::PreparedTarget::for_profile(tagged);
  } else if (auto known = read_profile(core, tagged)) {
    route.server = core.server_routes.to(core, *known, paths, agreed);
    if (!route.server) return std::nullopt;
    route.object_key = std::move(known->profile.object_key);
    route.prepared = giop::PreparedTarget::for_key({1, route.server->giop_minor}, route.object_key);
  }
  if (!route.server) return std::nullopt;
  return route;
}

bool is_local(const OrbCore& core, const Route& route) {
  return std::ranges::any_of(route.server->addresses,
                             [&](const Route::Address& address) { return core.is_ours(address.endpoint); });
}

}  // namespace

std::shared_ptr<const Target> make_target(OrbCore& core, cdr::Ior ior, ByteView local_key,
                                          const Agreement* agreed) {
  auto target = std::make_shared<Target>();
  target->local_key.assign(local_key.begin(), local_key.end());
  const transport::Transport* const uds = core.transports.find("unix");
  const bool paths = uds && std::ranges::none_of(ior.profiles, [&](const cdr::TaggedProfile& profile) {
                       return profile.tag == uds->profile_form().tag;
                     });
  for (std::uint32_t i = 0; i < ior.profiles.size() && target->routes.size() < max_routes; ++i) {
    auto route = make_route(core, ior.profiles[i], paths, agreed);
    if (!route) continue;
    route->profile = i;
    if (target->local_key.empty() && is_local(core, *route)) target->local_key = route->object_key;
    target->routes.push_back(std::move(*route));
  }
  target->ior = std::move(ior);
  if (agreed) target->agreed = std::make_unique<const Agreement>(*agreed);
  return target;
}

}  // namespace takt::connection
