#include "orb/server/listeners.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include <takt/cdr/exception.h>

#include "config/endpoints.h"
#include "config/lane_options.h"
#include "os/net/resolver.h"

namespace takt::orb {

namespace {

std::uint32_t file_mode_of(const std::string& text) {
  std::uint32_t mode = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  if (error != std::errc() || end != text.data() + text.size() || mode > 0777)
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "option -ORBUnixPermissions: '" + text + "' is not a number from 0 to 0777, as in 0660");
  return mode;
}

// Completes an endpoint of PublishedEndpoints by the listener that it stands for.
void take_place(transport::Endpoint& published, const transport::Endpoint& bound, bool has_port, bool usual) {
  if (has_port && (published.port == 0 || !usual)) published.port = bound.port;
  if (!has_port && !usual) published.host = bound.host;
}

constexpr std::string_view localhost = "localhost";

// The addresses of a host name, IPv4 first, which all ORBs can read: those that clients elsewhere can use, or
// all if there are none such. Empty for other hosts. Clients may resolve localhost to either loopback
// address.
os::AddressList addresses_of(const transport::Endpoint& endpoint) {
  constexpr std::chrono::seconds patience(10);
  using Family = os::Address::Family;
  if (endpoint.host == localhost)
    return {os::Address::loopback(Family::v4, 0), os::Address::loopback(Family::v6, 0)};
  if (endpoint.host.empty() || os::Address::parse(endpoint.host, 0)) return {};
  const auto all = os::Resolver()
                       .resolve(endpoint.host, endpoint.port, os::Clock::now() + patience)
                       .value_or(os::AddressList());
  os::AddressList addresses, for_here;
  for (const auto family : {Family::v4, Family::v6})
    for (const os::Address& one : all)
      if (one.family() == family)
        (one.is_loopback() || one.is_link_local() ? for_here : addresses).push_back(one);
  return addresses.empty() ? for_here : addresses;
}

[[noreturn]] void refuse_to_listen(const transport::ListenError& why) {
  throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, why.text);
}

}  // namespace

Listeners::Listeners(const transport::TransportRegistry& transports, const transport::StreamOptions& streams,
                     transport::MarkingByPriority marking, const Settings& settings, Report report)
    : transports_(transports),
      report_(std::move(report)),
      options_{.stream = streams, .file_mode = file_mode_of(settings.serving.unix_permissions)},
      marking_(std::move(marking)),
      listening_report_(settings, report_),
      usual_(parse(settings.serving.listen_endpoints, "ListenEndpoints")),
      published_(parse_published(settings.serving.published_endpoints)) {
  for (const auto& [priority, texts] :
       by_priority(settings.serving.lane_endpoints, "LaneEndpoints", "ENDPOINT"))
    of_lanes_[priority] = parse(texts, "LaneEndpoints");
}

Listeners::Places Listeners::parse(const std::vector<std::string>& texts, std::string_view option) const {
  Places places;
  places.reserve(texts.size());
  for (const std::string& text : texts) places.push_back(listen_place_from_text(text, option, transports_));
  return places;
}

std::vector<transport::Endpoint> Listeners::parse_published(const std::vector<std::string>& texts) const {
  std::vector<transport::Endpoint> endpoints;
  endpoints.reserve(texts.size());
  const transport::Endpoint own{"", "", 0};
  for (const std::string& text : texts)
    if (text != "own")
      endpoints.push_back(endpoint_from_text(text, "PublishedEndpoints", transports_));
    else if (std::ranges::find(endpoints, own) == endpoints.end())
      endpoints.push_back(own);
  return endpoints;
}

void Listeners::open(Listening& listening, const ListenPlace& place,
                     const transport::ListenOptions& options) const {
  transport::Endpoint endpoint = place.endpoint;
  const std::size_t before = listening.bound.size();
  Failure failure = try_at(listening, endpoint, options);
  while (failure && failure->error == EADDRINUSE && endpoint.port < place.last_port) {
    ++endpoint.port;
    failure = try_at(listening, endpoint, options);
  }
  if (failure) refuse_to_listen(*failure);
  for (const transport::Endpoint& bound : std::span(listening.bound).subspan(before)) {
    listening_report_.note_listener(bound);
    if (!place.published) continue;
    transport::Endpoint published = bound;
    if (!place.published_host.empty()) published.host = place.published_host;
    if (std::ranges::find(listening.published, published) == listening.published.end())
      listening.published.push_back(std::move(published));
  }
}

Listeners::Failure Listeners::try_at(Listening& listening, const transport::Endpoint& endpoint,
                                     const transport::ListenOptions& options) const {
  transport::Transport& transport = *transports_.find(endpoint.protocol);
  if (transport.profile_form().has_port)
    if (const auto addresses = addresses_of(endpoint); !addresses.empty())
      return try_each(listening, endpoint, addresses, endpoint.host == localhost, options);
  auto acceptor = transport.listen(endpoint, options);
  if (!acceptor) return acceptor.error();
  listening.bound.push_back((*acceptor)->local_endpoint());
  listening.acceptors.push_back(std::move(*acceptor));
  return {};
}

// Listens at each address that this machine has, at the same port. `as_one`: references contain the first
// alone.
Listeners::Failure Listeners::try_each(Listening& listening, transport::Endpoint endpoint,
                                       const os::AddressList& addresses, bool as_one,
                                       const transport::ListenOptions& options) const {
  transport::Transport& transport = *transports_.find(endpoint.protocol);
  const bool any_port = endpoint.port == 0;
  Listening opened;
  Failure failure;
  for (const os::Address& address : addresses) {
    endpoint.host = address.host_text();
    if (auto acceptor = transport.listen(endpoint, options)) {
      if (!as_one || opened.bound.empty()) opened.bound.push_back((*acceptor)->local_endpoint());
      endpoint.port = opened.bound.front().port;
      opened.acceptors.push_back(std::move(*acceptor));
    } else {
      failure = acceptor.error();
      // Another process may have the port that the system chose for the first address.
      const bool is_lack = failure->error == EADDRNOTAVAIL || failure->error == EAFNOSUPPORT ||
                           (failure->error == EADDRINUSE && any_port && !opened.bound.empty());
      if (!is_lack) return failure;
    }
  }
  if (opened.bound.empty()) return failure;
  std::ranges::move(opened.bound, std::back_inserter(listening.bound));
  std::ranges::move(opened.acceptors, std::back_inserter(listening.acceptors));
  return {};
}

ListenPlace Listeners::beside(const ListenPlace& place) const {
  ListenPlace there = place;
  there.endpoint = transports_.find(place.endpoint.protocol)->beside(place.endpoint);
  there.last_port = 0;
  return there;
}

Listening Listeners::open_all(const Places& places, const transport::ListenOptions& options) const {
  Listening all;
  for (const ListenPlace& place : places) open(all, place, options);
  return all;
}

Listening Listeners::usual() const {
  listening_report_.note_published(published_);
  return open_all(usual_, options_);
}

Listening Listeners::at(std::string_view text) const {
  return open_all({listen_place_from_text(text, "ListenEndpoints", transports_)}, options_);
}

transport::ListenOptions Listeners::options_of_lane(std::int16_t priority) const {
  auto options = options_;
  options.stream = marked(options_.stream, marking_.at(priority), transport::MarkedBy::lane);
  options.stream.marked_by = transport::MarkedBy::lane;
  return options;
}

void Listeners::report_unmarked(const transport::MarkingByPriority& marking, std::string_view what,
                                std::int16_t priority) const {
  if (marking.empty() || marking.covers(priority) || !report_) return;
  report_("connections of the lane of priority " + std::to_string(priority) + " are not marked: " +
          std::string(what) + " begin with priority " + std::to_string(marking.lowest()));
}

Listening Listeners::of_lane(std::int16_t priority) const {
  report_unmarked(marking_, "-ORBTrafficClasses and -ORBSocketPriorities", priority);
  const auto options = options_of_lane(priority);
  if (const auto own = of_lanes_.find(priority); own != of_lanes_.end())
    return open_all(own->second, options);
  Places places = usual_;
  for (ListenPlace& place : places) place = beside(place);
  return open_all(places, options);
}

Listening Listeners::with_options(const transport::Transport& transport,
                                  const transport::StreamOverrides& streams,
                                  std::optional<std::int16_t> priority, bool in_lane) const {
  Listening all;
  auto options = options_;
  if (in_lane && !streams.says_dscp(priority)) options = options_of_lane(*priority);
  if (priority)
    report_unmarked(streams.by_priority, "the traffic classes of the ServerProtocolPolicy", *priority);
  options.stream = streams.over(options.stream, priority);
  for (const ListenPlace& place : usual_)
    if (place.endpoint.protocol == transport.name()) open(all, beside(place), options);
  if (all.bound.empty()) open(all, {.endpoint = {std::string(transport.name()), "", 0}}, options);
  return all;
}

bool Listeners::publishes_own() const {
  return published_.empty() ||
         std::ranges::any_of(published_, [](const auto& endpoint) { return endpoint.protocol.empty(); });
}

std::vector<transport::Endpoint> Listeners::own_addresses(const Listening& listening) const {
  std::vector<transport::Endpoint> addresses;
  for (const transport::Endpoint& endpoint : listening.published) {
    auto published = transports_.find(endpoint.protocol)->published(endpoint);
    listening_report_.note_addresses(endpoint, published);
    std::ranges::move(published, std::back_inserter(addresses));
  }
  return addresses;
}

std::vector<transport::Endpoint> Listeners::reachable(const Listening& listening, bool usual) const {
  std::vector<transport::Endpoint> reachable;
  const auto& bound = listening.bound;
  for (transport::Endpoint endpoint : published_) {
    if (endpoint.protocol.empty()) {
      std::ranges::move(own_addresses(listening), std::back_inserter(reachable));
      continue;
    }
    const transport::Transport& transport = *transports_.find(endpoint.protocol);
    if (!transport.is_definite(endpoint))
      throw CORBA::BAD_PARAM(
          0, CORBA::COMPLETED_NO,
          "option -ORBPublishedEndpoints: '" + transport::to_text(endpoint) +
              "' is not an address that a client can connect to; give the host's name or number");
    const auto own = std::ranges::find(bound, endpoint.protocol, &transport::Endpoint::protocol);
    if (own != bound.end())
      take_place(endpoint, *own, transport.profile_form().has_port, usual);
    else if (!usual)
      continue;  // a lane's clients must not be sent to the server's usual endpoint
    reachable.push_back(std::move(endpoint));
  }
  if (reachable.empty()) reachable = own_addresses(listening);
  if (reachable.empty() && usual)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "option -ORBListenEndpoints: references would have no address, because each "
                            "endpoint has ?publish=none; -ORBPublishedEndpoints may give one");
  return reachable;
}

}  // namespace takt::orb
