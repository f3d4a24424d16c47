#include "orb/server/listeners.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string>
#include <utility>

#include <takt/cdr/exception.h>

#include "config/endpoints.h"
#include "config/lane_options.h"

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

// Endpoints within a machine have permissions of their own.
bool reaches_all_without_tls(const transport::Endpoint& endpoint) {
  return endpoint.protocol == "iiop" || endpoint.protocol == "udp";
}

[[noreturn]] void refuse_to_listen(const transport::ListenError& why) {
  throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, why.text);
}

}  // namespace

Listeners::Listeners(const transport::TransportRegistry& transports, const transport::StreamOptions& streams,
                     transport::MarkingByPriority marking, const Settings& settings, Tell tell)
    : transports_(transports),
      tell_(std::move(tell)),
      options_{.stream = streams, .file_mode = file_mode_of(settings.serving.unix_permissions)},
      marking_(std::move(marking)),
      certificates_required_(settings.tls.client_certificates == transport::ClientCertificates::required),
      usual_(parse(settings.serving.listen_endpoints, "ListenEndpoints")),
      published_(parse(settings.serving.published_endpoints, "PublishedEndpoints")) {
  for (const auto& [priority, texts] :
       by_priority(settings.serving.lane_endpoints, "LaneEndpoints", "ENDPOINT"))
    of_lanes_[priority] = parse(texts, "LaneEndpoints");
}

Listeners::Endpoints Listeners::parse(const std::vector<std::string>& texts, std::string_view option) const {
  Endpoints endpoints;
  endpoints.reserve(texts.size());
  for (const std::string& text : texts) endpoints.push_back(endpoint_from_text(text, option, transports_));
  return endpoints;
}

void Listeners::open(Listening& listening, const transport::Endpoint& endpoint,
                     const transport::ListenOptions& options) const {
  transport::Transport& transport = *transports_.find(endpoint.protocol);
  if (endpoint.host == "localhost" && transport.profile_form().has_port)
    return open_local(listening, endpoint, options);
  auto acceptor = transport.listen(endpoint, options);
  if (!acceptor) refuse_to_listen(acceptor.error());
  listening.bound.push_back((*acceptor)->local_endpoint());
  if (certificates_required_ && tell_ && reaches_all_without_tls(endpoint))
    tell_("TLSClientCertificates is required, but at " + to_text(listening.bound.back()) +
          " requests come without TLS, from anybody");
  listening.acceptors.push_back(std::move(*acceptor));
}

// Listens at both loopback addresses, however clients resolve the name. References contain the IPv4 address,
// which all ORBs can read.
void Listeners::open_local(Listening& listening, const transport::Endpoint& endpoint,
                           const transport::ListenOptions& options) const {
  transport::Transport& transport = *transports_.find(endpoint.protocol);
  transport::Endpoint local{endpoint.protocol, "127.0.0.1", endpoint.port};
  auto v4 = transport.listen(local, options);
  if (!v4 && v4.error().error != EADDRNOTAVAIL && v4.error().error != EAFNOSUPPORT)
    refuse_to_listen(v4.error());
  if (v4) local.port = (*v4)->local_endpoint().port;
  local.host = "::1";
  auto v6 = transport.listen(local, options);
  const bool port_is_taken = !v6 && v6.error().error == EADDRINUSE && endpoint.port != 0;
  if (!v6 && (!v4 || port_is_taken)) refuse_to_listen(v6.error());
  listening.bound.push_back((v4 ? *v4 : *v6)->local_endpoint());
  if (v4) listening.acceptors.push_back(std::move(*v4));
  if (v6) listening.acceptors.push_back(std::move(*v6));
}

Listening Listeners::open_all(const Endpoints& endpoints, const transport::ListenOptions& options) const {
  Listening all;
  for (const transport::Endpoint& endpoint : endpoints) open(all, endpoint, options);
  return all;
}

Listening Listeners::usual() const { return open_all(usual_, options_); }

Listening Listeners::at(std::string_view text) const {
  return open_all({endpoint_from_text(text, "ListenEndpoints", transports_)}, options_);
}

transport::ListenOptions Listeners::options_of_lane(std::int16_t priority) const {
  auto options = options_;
  options.stream = marked(options_.stream, marking_.at(priority), transport::MarkedBy::lane);
  options.stream.marked_by = transport::MarkedBy::lane;
  return options;
}

void Listeners::report_unmarked(const transport::MarkingByPriority& marking, std::string_view what,
                                std::int16_t priority) const {
  if (marking.empty() || marking.covers(priority) || !tell_) return;
  tell_("connections of the lane of priority " + std::to_string(priority) +
        " are not marked: " + std::string(what) + " begin with priority " + std::to_string(marking.lowest()));
}

Listening Listeners::of_lane(std::int16_t priority) const {
  report_unmarked(marking_, "-ORBTrafficClasses and -ORBSocketPriorities", priority);
  const auto options = options_of_lane(priority);
  if (const auto own = of_lanes_.find(priority); own != of_lanes_.end())
    return open_all(own->second, options);
  Endpoints beside = usual_;
  for (transport::Endpoint& endpoint : beside)
    endpoint = transports_.find(endpoint.protocol)->beside(endpoint);
  return open_all(beside, options);
}

Listening Listeners::special(const transport::Transport& transport, const transport::StreamOverrides& streams,
                             std::optional<std::int16_t> priority, bool in_lane) const {
  Listening all;
  auto options = options_;
  if (in_lane && !streams.says_dscp(priority)) options = options_of_lane(*priority);
  if (priority)
    report_unmarked(streams.by_priority, "the traffic classes of the ServerProtocolPolicy", *priority);
  options.stream = streams.over(options.stream, priority);
  for (const transport::Endpoint& endpoint : usual_)
    if (endpoint.protocol == transport.name()) open(all, transport.beside(endpoint), options);
  if (all.bound.empty()) open(all, {std::string(transport.name()), "", 0}, options);
  return all;
}

std::vector<transport::Endpoint> Listeners::reachable(const std::vector<transport::Endpoint>& bound,
                                                      bool usual) const {
  Endpoints reachable;
  for (transport::Endpoint endpoint : published_) {
    const transport::Transport& transport = *transports_.find(endpoint.protocol);
    if (!transport.is_definite(endpoint))
      throw CORBA::BAD_PARAM(
          0, CORBA::COMPLETED_NO,
          "option -ORBPublishedEndpoints: '" + transport::to_text(endpoint) +
              "' is not an address that a client can connect to; give the host's name or number");
    const auto own = std::ranges::find(bound, endpoint.protocol, &transport::Endpoint::protocol);
    // A lane's clients must not be sent to the server's usual endpoint.
    if (own == bound.end() && !usual) continue;
    const bool has_port = transport.profile_form().has_port;
    if (own != bound.end() && has_port && (endpoint.port == 0 || !usual)) endpoint.port = own->port;
    if (own != bound.end() && !has_port && !usual) endpoint.host = own->host;
    reachable.push_back(std::move(endpoint));
  }
  if (reachable.empty())
    for (const transport::Endpoint& endpoint : bound)
      for (transport::Endpoint& address : transports_.find(endpoint.protocol)->published(endpoint))
        reachable.push_back(std::move(address));
  return reachable;
}

}  // namespace takt::orb
