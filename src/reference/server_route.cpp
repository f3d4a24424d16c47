#include "reference/server_route.h"

#include <algorithm>

#include "giop/contexts/code_set_negotiation.h"
#include "giop/references/group.h"
#include "reference/references.h"

namespace takt::reference {

namespace {

void use_code_sets(const cdr::CodeSets& code_sets, ServerRoute& route) {
  route.code_sets = code_sets;
  route.code_set_context = giop::write_code_set_context(code_sets);
}

// Negotiates the code sets of client and server. Without the component, or before GIOP 1.1, they are those
// that the ORB assumes.
void choose_code_sets(const References& references, const giop::IiopProfile& profile, ServerRoute& route) {
  route.code_sets = references.protocol.dialect.assumed;
  const auto* component = route.giop_minor > 0 ? profile.find(giop::code_sets_component) : nullptr;
  if (!component || !references.code_sets) return;
  const auto server = giop::read_code_sets_component(*component);
  const auto chosen = server ? cdr::negotiate(*references.code_sets, *server) : std::nullopt;
  if (chosen) use_code_sets(*chosen, route);
}

void take_agreement(const Agreement& agreed, const cdr::CodeSets& assumed, ServerRoute& route) {
  route.giop_minor = agreed.giop_minor;
  route.code_sets = assumed;
  if (route.giop_minor > 0 && agreed.code_sets != assumed) use_code_sets(agreed.code_sets, route);
}

// Key for sharing connections: the address, and the code sets and GIOP version chosen for it.
std::string connection_description(const transport::Endpoint& endpoint, const ServerRoute& route) {
  return transport::to_text(endpoint) + " " +
         std::to_string(static_cast<std::uint32_t>(route.code_sets.narrow)) + "," +
         std::to_string(static_cast<std::uint32_t>(route.code_sets.wide)) + "," +
         (route.giop_minor >= 2 ? "2" : std::to_string(route.giop_minor));
}

// Nothing listens at a host or path with control characters, and messages would show them.
bool is_text(std::string_view host) {
  return std::ranges::none_of(
      host, [](char each) { return static_cast<unsigned char>(each) < ' ' || each == 0x7f; });
}

bool may_call(const Agreement* agreed, const transport::Endpoint& endpoint) {
  return !agreed || !agreed->places || agreed->places->has(endpoint);
}

// Adds the addresses of one profile to its route.
class Addresses {
 public:
  Addresses(References& references, const giop::IiopProfile& profile, const Agreement* agreed,
            ServerRoute& route)
      : references_(references),
        profile_(profile),
        agreed_(agreed),
        route_(route),
        road_(road_in(references, profile, agreed)) {}

  // Uses TLS instead of the profile's own port.
  void put_secure(const transport::Transport& tls, const giop::SecureTransport& offer) {
    if (profile_.port == 0) put_lanes(tls);  // else the lanes are those of the plain port
    if (route_.by_priority) return;
    put_banded(tls, {profile_.host, offer.port});
    route_.by_priority = is_banded();
  }

  // One address for each lane of the server, or one connection to each address for each priority band.
  // `paths`: use omniORB's path components too.
  void put(const transport::Transport& transport, bool paths) {
    const auto form = transport.profile_form();
    put_lanes(transport);
    if (route_.by_priority) return;
    if (paths) put_paths();
    if (form.tag != giop::internet_profile)
      put_banded(transport, {profile_.host, profile_.port});
    else
      for (const giop::HostPort& address : profile_.addresses()) put_banded(transport, address);
    route_.by_priority = is_banded();
  }

 private:
  // A bridge calls for clients to whom no sockets of this machine are open.
  static std::optional<RoadOffer> road_in(const References& references, const giop::IiopProfile& profile,
                                          const Agreement* agreed) {
    const auto* const offer = references.roads && !agreed ? profile.find(local_roads_component) : nullptr;
    return offer ? references.roads->read(*offer) : std::nullopt;
  }
  void put_lanes(const transport::Transport& transport) {
    if (const auto* lanes = profile_.find(giop::priority_endpoints_component))
      for (const giop::PriorityEndpoint& lane :
           giop::read_priority_endpoints(*lanes, transport.profile_form().has_port))
        put_one(transport, lane.address, {lane.priority, lane.priority}, false);
    route_.by_priority = !route_.addresses.empty();
  }
  bool is_banded() const { return route_.priorities && !route_.priorities->bands.empty(); }

  // Adds UNIX paths if the server is on this machine; they are faster than the network.
  void put_paths() {
    const transport::Transport* const uds = references_.transports.find("unix");
    if (!uds) return;
    for (const giop::TaggedComponent& component : profile_.components)
      if (const auto path = giop::read_unix_path(component); path && path->machine == references_.here.host)
        put_banded(*uds, {path->path, 0});
  }
  void put_banded(const transport::Transport& transport, const giop::HostPort& address) {
    if (is_banded())
      for (const giop::PriorityBand& band : route_.priorities->bands) put_one(transport, address, band, true);
    else
      put_one(transport, address, giop::all_priorities, false);
  }
  void put_one(const transport::Transport& transport, const giop::HostPort& address,
               const giop::PriorityBand& serves, bool apart) {
    const auto form = transport.profile_form();
    if (route_.addresses.size() == giop::max_addresses || (form.has_port && address.port == 0)) return;
    const transport::Endpoint endpoint{std::string(transport.name()), address.host, address.port};
    if (!is_text(address.host) || !may_call(agreed_, endpoint)) return;
    const auto road = form.tag == giop::internet_profile ? road_ : std::nullopt;
    std::string description = connection_description(endpoint, route_);
    if (road)
      description.append(road->any_host ? " by any road " : " by road ").append(std::to_string(road->roads));
    if (apart)
      description.append(" ")
          .append(std::to_string(serves.low))
          .append("-")
          .append(std::to_string(serves.high));
    route_.addresses.push_back({endpoint, references_.connection_ids.of(description), serves, form.tag,
                                references_.connections.streams, references_.protocol.messaging, road});
  }

  References& references_;
  const giop::IiopProfile& profile_;
  const Agreement* const agreed_;
  ServerRoute& route_;
  const std::optional<RoadOffer> road_;
};

// Whether the object is on another machine or in another process. A path without a machine is taken to be on
// this one. A profile that is valid in one process always names the process.
bool is_elsewhere(const References& references, const giop::IiopProfile& profile,
                  const transport::ProfileForm& form) {
  const auto* machine = profile.find(giop::machine_component);
  if (form.one_process)
    return !machine ||
           giop::read_machine(*machine) != giop::Machine{references.here.process, form.machine_protocol};
  if (machine && form.machine_protocol != 0)
    return giop::read_machine(*machine) != giop::Machine{references.here.machine, form.machine_protocol};
  const auto* component = profile.find(giop::unix_path_component);
  const auto path = component ? giop::read_unix_path(*component) : std::nullopt;
  return path && path->machine != references.here.host;
}

// How to reach an IIOP profile's object by TLS; nullopt if TLS is not to be used.
std::optional<giop::SecureTransport> secure_way(const References& references,
                                                const giop::IiopProfile& profile) {
  using When = TlsUse::When;
  const auto* component = profile.find(giop::ssl_component);
  const auto offer = component ? giop::read_secure_transport(*component) : std::nullopt;
  if (!offer || offer->port == 0) return std::nullopt;
  const bool required = profile.port == 0 || offer->is_required();
  if (!required && references.options.tls.when == When::required) return std::nullopt;
  return offer;
}

void put_internet(References& references, const giop::IiopProfile& profile, const transport::Transport& tcp,
                  bool paths, const Agreement* agreed, ServerRoute& route) {
  Addresses addresses(references, profile, agreed, route);
  const transport::Transport* const tls = references.transports.find("ssliop");
  if (const auto offer = tls ? secure_way(references, profile) : std::nullopt)
    addresses.put_secure(*tls, *offer);
  else if (references.options.tls.when != TlsUse::When::always)
    addresses.put(tcp, paths);
}

// Reads the server's properties other than addresses and code sets.
void read_components(const References& references, const giop::IiopProfile& profile, ServerRoute& route) {
  if (const auto* policies = profile.find(giop::policies_component))
    route.priorities = giop::read_policies_component(*policies);
  route.propagates_priority =
      route.priorities && route.priorities->model == giop::PriorityPolicies::Model::client_propagated;
  route.has_extra_contexts = route.propagates_priority || references.options.probed;
  const auto* const messaging = profile.find(giop::lite_component);
  route.speaks_lite = route.giop_minor >= 2 && references.protocol.can_speak(giop::Messaging::lite) &&
                      messaging && giop::speaks_lite(*messaging);
  const auto* const orb_type = profile.find(giop::orb_type_component);
  const auto type = orb_type ? giop::read_orb_type(*orb_type) : std::nullopt;
  route.takes_cancels = type == giop::takt_orb_type;
  route.serves_in_order = route.takes_cancels && !profile.find(overlap_component);
  references.protocol.dialect.apply_to(route.format, type);
}

std::shared_ptr<ServerRoute> finished(const References& references, ServerRoute&& described) {
  auto route = std::make_shared<ServerRoute>(std::move(described));
  route->format.giop_minor = route->giop_minor;
  route->format.code_sets = &route->code_sets;
  route->format.environment = references.environment;
  // Replies are charged to the memory budget of all connections, since they may outlive their own.
  route->format.memory = references.protocol.limits->client_memory.get();
  return route;
}

}  // namespace

std::shared_ptr<const ServerRoute> make_server_route(References& references, const KnownProfile& known,
                                                     bool paths, const Agreement* agreed) {
  const auto& [transport, profile] = known;
  const auto form = transport->profile_form();
  const bool internet = form.tag == giop::internet_profile;
  if (!internet && is_elsewhere(references, profile, form)) return nullptr;
  ServerRoute route;
  route.giop_minor = std::min(profile.version.minor, references.protocol.minor);
  if (agreed)
    take_agreement(*agreed, references.protocol.dialect.assumed, route);
  else
    choose_code_sets(references, profile, route);
  if (route.giop_minor < references.protocol.limits->least_giop_minor) return nullptr;
  read_components(references, profile, route);
  if (internet)
    put_internet(references, profile, *transport, paths, agreed, route);
  else
    Addresses(references, profile, agreed, route).put(*transport, false);
  if (agreed && agreed->places && route.addresses.empty()) return nullptr;
  return finished(references, std::move(route));
}

// A group negotiates nothing.
std::shared_ptr<const ServerRoute> make_group_route(References& references, const cdr::TaggedProfile& tagged,
                                                    const Agreement* agreed) {
  const auto profile = giop::read_group_profile(tagged);
  if (!profile || !references.options.groups || references.protocol.minor < 2) return nullptr;
  ServerRoute route;
  route.giop_minor = 2;
  route.code_sets = references.protocol.dialect.assumed;
  references.protocol.dialect.apply_to(route.format, std::nullopt);
  route.has_extra_contexts = references.options.probed;
  const transport::Endpoint endpoint{"miop", profile->address.host, profile->address.port};
  if (!may_call(agreed, endpoint)) return nullptr;
  route.addresses.push_back({endpoint, references.connection_ids.of(connection_description(endpoint, route)),
                             giop::all_priorities, giop::group_profile, references.connections.streams,
                             giop::Messaging::giop});
  return finished(references, std::move(route));
}

std::optional<giop::Priority> ServerRoute::priority_of(std::optional<giop::Priority> requested) const {
  if (requested && (propagates_priority || !priorities)) return requested;
  return priorities ? std::optional(priorities->server_priority) : std::nullopt;
}

namespace {

bool holds(const giop::PriorityBand& band, giop::Priority priority) {
  return band.low <= priority && priority <= band.high;
}

// The addresses within `band` for that priority: those of the band itself, or of its best lane; null if there
// are none. Takes the next lower lane if there is none of that priority, so that less urgent requests never
// delay this one; if there is no lower one, the lowest lane. A null band means all addresses.
const giop::PriorityBand* lane_for(const std::vector<ServerRoute::Address>& addresses,
                                   giop::Priority priority, const giop::PriorityBand* band) {
  const giop::PriorityBand* best = nullptr;
  for (const auto& address : addresses) {
    const giop::PriorityBand& lane = address.serves;
    if (band && lane == *band) return band;
    if (band && (lane.low < band->low || lane.high > band->high)) continue;
    const bool reachable = lane.low <= priority;
    if (!best || (best->low <= priority ? reachable && lane.low > best->low : lane.low < best->low))
      best = &lane;
  }
  return best;
}

}  // namespace

std::optional<giop::PriorityBand> ServerRoute::band_for(std::optional<giop::Priority> requested) const {
  const giop::Priority declared = priorities ? priorities->server_priority : giop::Priority{0};
  const giop::Priority priority = propagates_priority ? requested.value_or(declared) : declared;
  if (priorities && !priorities->bands.empty()) return banded(priority, requested.has_value());
  return *lane_for(addresses, priority, nullptr);
}

// For a server that publishes priority bands. Its lanes, if any, lie within them. A thread without a priority
// also reaches a server whose bands do not hold the declared one.
std::optional<giop::PriorityBand> ServerRoute::banded(giop::Priority priority, bool requested) const {
  for (const giop::PriorityBand& band : priorities->bands)
    if (holds(band, priority))
      if (const auto* const lane = lane_for(addresses, priority, &band)) return *lane;
  if (!requested)
    for (const giop::PriorityBand& band : priorities->bands)
      if (const auto* const lane = lane_for(addresses, priority, &band)) return *lane;
  return std::nullopt;
}

}  // namespace takt::reference
