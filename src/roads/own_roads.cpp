#include "roads/own_roads.h"

#include <algorithm>

#include "os/error_text.h"
#include "os/net/unix_socket.h"
#include "os/shared_memory/machine_identity.h"

namespace takt::roads {

namespace {

using transport::Endpoint;
using Then = Impassable::Then;

// The fastest first.
constexpr Road by_speed[] = {Road::shared_memory, Road::unix_domain};
constexpr std::size_t place_of(Road road) { return road == Road::shared_memory ? 0 : 1; }

bool is_tcp(const Endpoint& endpoint) { return endpoint.protocol == "iiop"; }

// Whether the endpoint's port belongs to a listener at all addresses.
bool is_at_any_host(const Endpoint& endpoint, std::span<const Endpoint> bound) {
  return std::ranges::any_of(bound, [&](const Endpoint& one) {
    return is_tcp(one) && one.port == endpoint.port &&
           (one.host.empty() || one.host == "::" || one.host == "0.0.0.0");
  });
}

}  // namespace

OwnRoads::OwnRoads(const RoadOptions& options, bool offers, std::uint64_t place, const Trust& trust,
                   std::shared_ptr<EventLog> log)
    : roads_(roads_of(options.roads)),
      timeout_(options.timeout),
      offers_(offers),
      place_(place),
      trust_(trust),
      log_(std::move(log)),
      prepared_([this](const PreparedRoads::Target& target, os::TimePoint until) {
        return prepare(target, until);
      }) {}

std::vector<std::unique_ptr<transport::Acceptor>> OwnRoads::listen_beside(
    std::span<const Endpoint> bound, std::span<const Endpoint> published,
    const transport::ListenOptions& options) {
  Acceptors acceptors;
  if (!offers_) return acceptors;
  std::set<std::string> names;  // several published addresses may stand for one socket
  const auto listening = std::make_shared<const char>();
  const std::lock_guard lock(mutex_);
  std::erase_if(served_, [](const auto& one) { return one.second.listening.expired(); });
  for (const Endpoint& endpoint : published) {
    if (!is_tcp(endpoint)) continue;
    const bool any_host = is_at_any_host(endpoint, bound);
    if (listen_at(endpoint, any_host, options, names, acceptors, listening))
      served_.insert_or_assign({endpoint.host, endpoint.port}, Served{any_host, listening});
  }
  return acceptors;
}

bool OwnRoads::listen_at(const Endpoint& endpoint, bool any_host, const transport::ListenOptions& options,
                         std::set<std::string>& names, Acceptors& acceptors,
                         const RoadAcceptor::Listening& listening) {
  Acceptors made;
  for (const Road road : by_speed) {
    if (!has(roads_, road)) continue;
    const std::string name = socket_name({roads_, any_host}, endpoint.host, endpoint.port, road);
    if (!names.insert(name).second) continue;
    auto listener = os::UnixListener::listen(*os::UnixAddress::parse(name), options.backlog, 0);
    if (!listener) {
      report(name, road, "cannot listen (" + os::error_text(listener.error()) + "), so no road is offered");
      return false;
    }
    made.push_back(std::make_unique<RoadAcceptor>(std::move(*listener), road, options.stream, trust_,
                                                  accepted_[place_of(road)], log_, listening));
  }
  std::ranges::move(made, std::back_inserter(acceptors));
  return true;
}

std::optional<giop::TaggedComponent> OwnRoads::offer_for(std::span<const giop::HostPort> addresses) const {
  const std::lock_guard lock(mutex_);
  std::optional<bool> any_host;
  for (const giop::HostPort& address : addresses) {
    const auto served = served_.find({address.host, address.port});
    if (served == served_.end() || served->second.listening.expired()) return std::nullopt;
    if (any_host.value_or(served->second.any_host) != served->second.any_host) return std::nullopt;
    any_host = served->second.any_host;
  }
  return any_host ? std::optional(make_offer({roads_, *any_host}, place_)) : std::nullopt;
}

std::optional<reference::RoadOffer> OwnRoads::read(const giop::TaggedComponent& component) const {
  return read_offer(component, place_, roads_);
}

std::unique_ptr<transport::Stream> OwnRoads::open(const reference::RoadOffer& offer, const Endpoint& to,
                                                  os::TimePoint deadline,
                                                  const transport::StreamOptions& options) {
  const auto now = os::Clock::now();
  const ClosedRoads::Server server{to.host, to.port, offer.any_host};
  const PreparedRoads::Target target{offer, to, options};
  const bool closed = closed_.is_closed(server, now);
  auto then = Then::use_tcp;
  if (!closed) {
    if (auto stream = open_fastest(target, std::min(deadline, now + timeout_), then)) return stream;
    if (then != Then::use_tcp) closed_.close(server, now);
  }
  if (closed || then == Then::try_later) prepared_.want(target, !closed);
  by_tcp_.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

std::unique_ptr<transport::Stream> OwnRoads::open_fastest(const PreparedRoads::Target& target,
                                                          os::TimePoint until, Then& then) {
  const Endpoint& to = target.to;
  then = Then::try_other_road;
  for (const Road road : by_speed) {
    if (then != Then::try_other_road) break;
    if (!has(target.offer.roads, road)) continue;
    const std::string name = socket_name(target.offer, to.host, to.port, road);
    auto opened = open_road(road, name, trust_, until, target.options);
    if (opened) {
      closed_.open({to.host, to.port, target.offer.any_host});
      opened_[place_of(road)].fetch_add(1, std::memory_order_relaxed);
      return std::move(*opened);
    }
    then = opened.error().then;
    report(name, road, opened.error().why + "; calls go by " + to_text(to));
  }
  return nullptr;
}

PreparedRoads::Attempt OwnRoads::prepare(const PreparedRoads::Target& target, os::TimePoint until) {
  auto then = Then::use_tcp;
  auto stream = open_fastest(target, until, then);
  return {std::move(stream), then == Then::try_later};
}

std::unique_ptr<transport::Stream> OwnRoads::take_prepared(const reference::RoadOffer& offer,
                                                           const Endpoint& to,
                                                           const transport::StreamOptions& options) {
  return prepared_.take(offer, to, options);
}

[[gnu::cold]] void OwnRoads::report(const std::string& name, Road road, const std::string& why) const {
  if (!takes(log_.get(), LogEvent::connect_failed)) return;
  const std::string peer = to_text(Endpoint{protocol_of(road), name, 0});
  log_->write({.event = LogEvent::connect_failed, .peer = peer, .reason = why});
}

std::vector<reference::LocalRoads::Count> OwnRoads::counts() const {
  std::vector<Count> counts;
  for (const Road road : by_speed) {
    const AcceptedCounts& accepted = accepted_[place_of(road)];
    counts.push_back({protocol_of(road), opened_[place_of(road)].load(), accepted.accepted.load(),
                      accepted.refused.load()});
  }
  counts.push_back({"tcp", by_tcp_.load(), 0, 0});
  return counts;
}

std::expected<std::shared_ptr<reference::LocalRoads>, std::string> make_local_roads(
    const RoadOptions& options, bool offers, std::shared_ptr<EventLog> log) {
  std::optional<std::uint32_t> group;
  if (!options.group.empty()) {
    group = os::find_group(options.group);
    if (!group)
      return std::unexpected("option -ORBLocalGroup: there is no group '" + options.group +
                             "' on this system");
  }
  if (options.roads == RoadChoice::off) return nullptr;
  const std::string here = os::namespace_identity();
  if (!here.empty())
    return std::make_shared<OwnRoads>(options, offers, hash_of(here), Trust(group), std::move(log));
  if (options.roads != RoadChoice::automatic && takes(log.get(), LogEvent::warning))
    log->write({.event = LogEvent::warning,
                .reason = "no local roads: /proc does not say in which namespaces this process is"});
  return nullptr;
}

}  // namespace takt::roads
