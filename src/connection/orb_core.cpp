#include "connection/orb_core.h"

#include <algorithm>
#include <cerrno>

#include "connection/object_ref.h"
#include "connection/policies/overrides.h"
#include "connection/probes/probed_stream.h"
#include "giop/code_set_negotiation.h"
#include "giop/profile.h"

namespace takt::connection {

OrbCore::OrbCore() : channels_(std::make_shared<ChannelRegistry>()) {}
OrbCore::~OrbCore() = default;

void OrbCore::publish(std::vector<transport::Endpoint> endpoints) {
  std::lock_guard lock(mutex_);
  published_ = std::move(endpoints);
}

std::vector<transport::Endpoint> OrbCore::published() const {
  std::lock_guard lock(mutex_);
  return published_;
}

void OrbCore::add_own(const std::vector<transport::Endpoint>& endpoints) {
  std::lock_guard lock(mutex_);
  own_.insert(own_.end(), endpoints.begin(), endpoints.end());
}

bool OrbCore::is_ours(const transport::Endpoint& endpoint) const {
  std::lock_guard lock(mutex_);
  const auto has = [&](const auto& endpoints) {
    return std::find(endpoints.begin(), endpoints.end(), endpoint) != endpoints.end();
  };
  return has(published_) || has(own_);
}

namespace {

// The lane whose addresses stock clients get: that of the declared priority, else the first.
const Publication::Lane& lane_for_all(const Publication& where) {
  const giop::Priority priority = where.priorities ? where.priorities->server_priority : 0;
  for (const Publication::Lane& lane : where.lanes)
    if (lane.priority == priority) return lane;
  return where.lanes.front();
}

void put_lane(std::vector<giop::PriorityEndpoint>& list, const Publication::Lane& lane) {
  for (const transport::Endpoint& endpoint : lane.endpoints)
    list.push_back({{endpoint.host, endpoint.port}, lane.priority});
}

// The profile's own address first.
giop::TaggedComponent endpoints_component(const Publication& where, const Publication::Lane& first) {
  std::vector<giop::PriorityEndpoint> list;
  put_lane(list, first);
  for (const Publication::Lane& lane : where.lanes)
    if (&lane != &first) put_lane(list, lane);
  return giop::make_priority_endpoints_component(list);
}

}  // namespace

// One profile for all addresses: the first in its body, the others as alternate addresses, which stock
// clients try too (CORBA 3.0.3, 15.7.3).
cdr::TaggedProfile OrbCore::profile_for(ByteView object_key, const Publication* where) const {
  giop::IiopProfile profile;
  profile.version = {1, options.giop_minor};
  profile.object_key.assign(object_key.begin(), object_key.end());
  const auto* lane = where && !where->lanes.empty() ? &lane_for_all(*where) : nullptr;
  const auto endpoints = lane ? lane->endpoints : published();
  if (!endpoints.empty()) {
    profile.host = endpoints.front().host;
    profile.port = endpoints.front().port;
  }
  if (options.giop_minor > 0) {
    profile.components.push_back(giop::make_orb_type_component());
    if (code_sets) profile.components.push_back(giop::make_code_sets_component(*code_sets));
    for (std::size_t i = 1; i < endpoints.size(); ++i)
      profile.components.push_back(
          giop::make_alternate_address_component({endpoints[i].host, endpoints[i].port}));
    if (where && where->priorities)
      profile.components.push_back(giop::make_policies_component(*where->priorities));
    if (lane) profile.components.push_back(endpoints_component(*where, *lane));
  }
  return giop::write_iiop_profile(profile);
}

std::shared_ptr<ObjectRef> OrbCore::make_reference(std::string type_id, ByteView object_key,
                                                   const Publication* where) {
  cdr::Ior ior{std::move(type_id), {profile_for(object_key, where)}};
  auto target = make_target(*this, std::move(ior), object_key);
  return std::make_shared<ObjectRef>(shared_from_this(), std::move(target));
}

std::shared_ptr<ObjectRef> OrbCore::from_ior(cdr::Ior ior) {
  if (ior.type_id.empty() && ior.profiles.empty()) return nullptr;
  return std::make_shared<ObjectRef>(shared_from_this(), make_target(*this, std::move(ior)));
}

std::expected<std::unique_ptr<transport::Stream>, transport::ConnectError> OrbCore::connect(
    const transport::Endpoint& endpoint, std::chrono::steady_clock::time_point deadline) {
  const auto found = connectors.find(endpoint.protocol);
  if (found == connectors.end())
    return std::unexpected(
        transport::ConnectError{transport::ConnectError::Phase::connect, EPROTONOSUPPORT,
                                transport::to_text(endpoint) + ": no such transport here"});
  auto stream = found->second->connect(endpoint, deadline);
  if (stream) stream = probed_stream(std::move(*stream), ProbedSide::client, probes);
  return stream;
}

std::uint64_t OrbCore::connection_id(const std::string& description) {
  static std::atomic<std::uint64_t> next{1};
  std::lock_guard lock(mutex_);
  auto [found, added] = connection_ids_.try_emplace(description, 0);
  if (added) found->second = next.fetch_add(1, std::memory_order_relaxed);
  return found->second;
}

std::shared_ptr<const Overrides> OrbCore::overrides() const {
  std::lock_guard lock(mutex_);
  return overrides_;
}

void OrbCore::override_policies(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add) {
  std::lock_guard lock(mutex_);
  overrides_ = Overrides::changed(overrides_, policies, set_add);
  begin_generation();
}

void OrbCore::shut_down() {
  down_.store(true, std::memory_order_relaxed);
  channels_->shut_down();
}

}  // namespace takt::connection
