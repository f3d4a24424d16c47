#include "reference/profiles.h"

#include <algorithm>
#include <ranges>

#include "giop/contexts/code_set_negotiation.h"
#include "reference/local_roads.h"
#include "reference/references.h"

namespace takt::reference {

namespace {

using transport::Endpoint;
using Endpoints = std::vector<Endpoint>;

constexpr std::string_view iiop = "iiop", uds = "unix", tls = "ssliop";

// The lane whose addresses other ORBs' clients get: the lane of the declared priority, else the first.
const Publication::Lane& lane_for_all(const Publication& where) {
  const giop::Priority priority = where.priorities ? where.priorities->server_priority : giop::Priority{0};
  for (const Publication::Lane& lane : where.lanes)
    if (lane.priority == priority) return lane;
  return where.lanes.front();
}

void put_lane(std::vector<giop::PriorityEndpoint>& list, const Publication::Lane& lane,
              std::string_view protocol) {
  for (const Endpoint& endpoint : lane.endpoints)
    if (endpoint.protocol == protocol) list.push_back({{endpoint.host, endpoint.port}, lane.priority});
}

class Profiles {
 public:
  Profiles(const References& references, ByteView object_key, const Publication* where)
      : references_(references),
        key_(object_key.begin(), object_key.end()),
        where_(where),
        lane_(where && !where->lanes.empty() ? &lane_for_all(*where) : nullptr),
        endpoints_(lane_                       ? lane_->endpoints
                   : where && where->endpoints ? *where->endpoints
                                               : references.own_endpoints.published()) {}

  std::vector<cdr::TaggedProfile> made() {
    for (const Endpoint& endpoint : endpoints_)
      if (endpoint.protocol == iiop || is_beside_plain(endpoint))
        put_internet_profile();
      else if (endpoint.protocol == tls)
        put_secure_profile(endpoint);
      else
        put_profile(endpoint);
    if (made_.empty() || has_path()) put_internet_profile();
    return std::move(made_);
  }

 private:
  // One profile for all addresses: the first in its body, the others as alternate addresses, which other
  // ORBs' clients try too (CORBA 3.0.3, 15.7.3). omniORB looks here for UNIX paths, with or without an
  // address; port 0 means that there is no address.
  void put_internet_profile() {
    if (std::exchange(has_internet_profile_, true)) return;
    giop::IiopProfile profile = blank();
    const auto first = std::ranges::find(endpoints_, iiop, &Endpoint::protocol);
    if (first != endpoints_.end()) {
      profile.host = first->host;
      profile.port = first->port;
    } else if (!endpoints_.empty()) {
      profile.host = references_.here.host;
    }
    if (profile.version.minor > 0) {
      for (const Endpoint& endpoint : endpoints_)
        if (endpoint.protocol == iiop && &endpoint != &*first)
          profile.components.push_back(
              giop::make_alternate_address_component({endpoint.host, endpoint.port}));
      for (const Endpoint& endpoint : endpoints_)
        if (is_path(endpoint)) profile.components.push_back(path_component(endpoint));
      const auto beside = std::ranges::find_if(
          endpoints_, [this](const Endpoint& endpoint) { return is_beside_plain(endpoint); });
      if (beside != endpoints_.end()) profile.components.push_back(tls_component(*beside, true));
      put_messaging(profile, [this](const Endpoint& endpoint) {
        return endpoint.protocol == iiop || is_path(endpoint) || is_beside_plain(endpoint);
      });
    }
    put_priorities(profile, iiop, true);
    put_roads(profile);
    made_.push_back(giop::write_iiop_profile(profile));
  }

  // Offers local roads to all the profile's addresses, those of lanes included, or none.
  [[gnu::cold]] void put_roads(giop::IiopProfile& profile) const {
    if (!references_.roads || profile.version.minor == 0 || (where_ && where_->protocols_chosen)) return;
    std::vector<giop::HostPort> addresses;
    const auto put = [&](const Endpoints& endpoints) {
      for (const Endpoint& endpoint : endpoints)
        if (endpoint.protocol == iiop) addresses.push_back({endpoint.host, endpoint.port});
    };
    put(endpoints_);
    if (where_)
      for (const Publication::Lane& lane : where_->lanes) put(lane.endpoints);
    if (auto offer = references_.roads->offer_for(addresses)) profile.components.push_back(std::move(*offer));
  }

  // An IIOP profile for an endpoint that only speaks TLS. The port in the body is for clients without TLS, if
  // they are allowed.
  void put_secure_profile(const Endpoint& endpoint) {
    giop::IiopProfile profile = blank();
    if (profile.version.minor == 0) return;
    const bool plain_too = references_.options.tls.plain_too;
    profile.host = endpoint.host;
    profile.port = plain_too ? endpoint.port : 0;
    profile.components.push_back(tls_component(endpoint, plain_too));
    put_messaging(profile, [&](const Endpoint& one) { return one == endpoint; });
    put_priorities(profile, tls, true);
    made_.push_back(giop::write_iiop_profile(profile));
  }

  // Whether one profile serves this endpoint and the plain one, because TLS is at the same host.
  bool is_beside_plain(const Endpoint& endpoint) const {
    if (endpoint.protocol != tls || references_.protocol.minor == 0) return false;
    const auto plain = std::ranges::find(endpoints_, iiop, &Endpoint::protocol);
    return plain != endpoints_.end() && plain->host == endpoint.host &&
           std::ranges::find_if(endpoints_, [&](const Endpoint& one) {
             return one.protocol == tls && one.host == endpoint.host;
           })->port == endpoint.port;
  }

  giop::TaggedComponent tls_component(const Endpoint& endpoint, bool plain_too) const {
    const TlsUse& says = references_.options.tls;
    giop::SecureTransport offer{says.supports, says.requires_, endpoint.port};
    if (plain_too) {
      offer.supports |= giop::association::no_protection;
      offer.requires_ = 0;
    }
    return giop::make_secure_transport_component(offer);
  }

  // A profile of another transport. One profile has all lanes.
  void put_profile(const Endpoint& endpoint) {
    const transport::Transport* const transport = references_.transports.find(endpoint.protocol);
    if (!transport) return;
    const auto form = transport->profile_form();
    const auto has_its_tag = [&](const cdr::TaggedProfile& one) { return one.tag == form.tag; };
    if (lane_ && std::ranges::any_of(made_, has_its_tag)) return;
    giop::IiopProfile profile = blank();
    profile.host = endpoint.host;
    profile.port = endpoint.port;
    if (endpoint.protocol == uds && profile.version.minor > 0)
      profile.components.push_back(path_component(endpoint));
    if (form.machine_protocol != 0 && profile.version.minor > 0)
      profile.components.push_back(giop::make_machine_component(
          {form.one_process ? references_.here.process : references_.here.machine, form.machine_protocol}));
    put_messaging(profile, [&](const Endpoint& one) { return one == endpoint; });
    put_priorities(profile, endpoint.protocol, form.has_port);
    made_.push_back(giop::write_profile(profile, {form.tag, form.has_port}));
  }

  giop::IiopProfile blank() const {
    giop::IiopProfile profile;
    profile.version = {1, references_.protocol.minor};
    profile.object_key = key_;
    if (profile.version.minor == 0) return profile;
    profile.components.push_back(giop::make_orb_type_component());
    // Lanes may have queues, from which several threads take the requests of a connection.
    if (references_.options.overlapping || (where_ && (!where_->lanes.empty() || where_->endpoints)))
      profile.components.push_back({overlap_component, {}});
    if (references_.code_sets)
      profile.components.push_back(giop::make_code_sets_component(*references_.code_sets));
    return profile;
  }

  void put_priorities(giop::IiopProfile& profile, std::string_view protocol, bool have_ports) const {
    if (profile.version.minor == 0 || !where_) return;
    if (where_->priorities) profile.components.push_back(giop::make_policies_component(*where_->priorities));
    if (!lane_) return;
    std::vector<giop::PriorityEndpoint> list;
    put_lane(list, *lane_, protocol);  // the profile's own address must come first
    for (const Publication::Lane& lane : where_->lanes)
      if (&lane != lane_) put_lane(list, lane, protocol);
    if (!list.empty())
      profile.components.push_back(giop::make_priority_endpoints_component(list, have_ports));
  }

  // Adds the GIOPlite component if all of the profile's endpoints speak it.
  template <class IsOfProfile>
  void put_messaging(giop::IiopProfile& profile, IsOfProfile is_of_profile) const {
    if (profile.version.minor < 2) return;
    const auto is_lite = [&](const Endpoint& endpoint) {
      return references_.own_endpoints.messaging_at(endpoint, references_.protocol.messaging).short_heads;
    };
    auto own = endpoints_ | std::views::filter(is_of_profile);
    if (!own.empty() && std::ranges::all_of(own, is_lite))
      profile.components.push_back(giop::make_lite_component());
  }

  // Only paths are published in omniORB's form: other ORBs have no abstract names.
  static bool is_path(const Endpoint& endpoint) {
    return endpoint.protocol == uds && !endpoint.host.starts_with('@');
  }
  bool has_path() const { return references_.protocol.minor > 0 && std::ranges::any_of(endpoints_, is_path); }
  giop::TaggedComponent path_component(const Endpoint& endpoint) const {
    return giop::make_unix_path_component({references_.here.host, endpoint.host});
  }

  const References& references_;
  const std::vector<std::uint8_t> key_;
  const Publication* const where_;
  const Publication::Lane* const lane_;
  const Endpoints endpoints_;
  std::vector<cdr::TaggedProfile> made_;
  bool has_internet_profile_ = false;
};

}  // namespace

std::optional<KnownProfile> read_profile(const References& references, const cdr::TaggedProfile& tagged) {
  const transport::Transport* const transport = references.transports.find_by_profile(tagged.tag);
  if (!transport || transport->profile_form().component) return std::nullopt;
  const auto form = transport->profile_form();
  auto profile = giop::read_profile(tagged, {form.tag, form.has_port});
  if (!profile) return std::nullopt;
  return KnownProfile{transport, std::move(*profile)};
}

std::vector<cdr::TaggedProfile> make_profiles(const References& references, ByteView object_key,
                                              const Publication* where) {
  return Profiles(references, object_key, where).made();
}

}  // namespace takt::reference
