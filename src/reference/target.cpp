#include "reference/target.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "giop/references/group.h"
#include "reference/forwarder.h"
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

bool is_by(const Route& route, std::string_view protocol) {
  const auto& addresses = route.server->addresses;
  return !addresses.empty() && addresses.back().endpoint.protocol == protocol;
}

// Endpoints with and without TLS at different hosts have profiles of their own. No call falls back from TLS
// to TCP, which an attacker who disturbs TLS would cause.
void separate_tls(TlsUse::When when, std::vector<Route>& routes) {
  const auto by_tls = [](const Route& route) { return is_by(route, "ssliop"); };
  auto first = std::ranges::find_if(routes, by_tls);
  if (first == routes.end()) return;
  if (when == TlsUse::When::offered) {
    std::erase_if(routes, [](const Route& route) { return is_by(route, "iiop"); });
    return;
  }
  for (auto plain = first; plain != routes.end(); ++plain) {
    if (!is_by(*plain, "iiop")) continue;
    for (auto at = plain; at != first; --at) std::swap(*at, *(at - 1));
    ++first;
  }
}

// The key of our object to which the routes lead; empty if they lead elsewhere. The first address decides,
// because calls would try it first. A later one may be another machine's too, since hosts have equal
// addresses for their own containers and virtual machines; or it may be gone since the reference was made.
ByteView local_key_in(const References& references, const std::vector<Route>& routes) {
  const auto route =
      std::ranges::find_if(routes, [](const Route& one) { return !one.server->addresses.empty(); });
  if (route == routes.end()) return {};
  if (references.own_endpoints.has(route->server->addresses.front().endpoint)) return route->object_key;
  const Forwarder* const forwarder = references.forwarder();
  return forwarder ? forwarder->own_key_in(*route) : ByteView();
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
    target->routes.push_back(std::move(*route));
  }
  separate_tls(references.options.tls.when, target->routes);
  if (local_key.empty()) {
    const ByteView own = local_key_in(references, target->routes);
    target->local_key.assign(own.begin(), own.end());
  }
  target->ior = std::move(ior);
  if (agreed) target->agreed = std::make_unique<const Agreement>(*agreed);
  return target;
}

}  // namespace takt::reference
