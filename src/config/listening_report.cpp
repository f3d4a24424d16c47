#include "config/listening_report.h"

#include <algorithm>
#include <utility>

#include "config/endpoints.h"

namespace takt::orb {

namespace {

// Endpoints within a machine have permissions of their own.
bool reaches_all_without_tls(const transport::Endpoint& endpoint) {
  return endpoint.protocol == "iiop" || endpoint.protocol == "udp";
}

bool leads_elsewhere(const transport::Endpoint& published) {
  return published.protocol == "iiop" && !is_within_machine(published.host);
}

}  // namespace

ListeningReport::ListeningReport(const Settings& settings, Report report)
    : report_(std::move(report)),
      client_certificates_(settings.tls.client_certificates),
      trusts_system_(settings.tls.authorities.empty()),
      listens_by_default_(settings.serving.listen_endpoints == Settings().serving.listen_endpoints) {}

void ListeningReport::note_listener(const transport::Endpoint& bound) const {
  using transport::ClientCertificates;
  if (client_certificates_ == ClientCertificates::none || !report_) return;
  const bool required = client_certificates_ == ClientCertificates::required;
  if (required && reaches_all_without_tls(bound))
    report_("TLSClientCertificates is required, but at " + to_text(bound) +
            " requests come without TLS, from anybody");
  if (trusts_system_ && bound.protocol == "ssliop")
    report_(std::string("TLSClientCertificates is ") + (required ? "required" : "optional") +
            " without TLSAuthorities: at " + to_text(bound) +
            " certificates of any authority of this system " +
            "are accepted; set -ORBTLSAuthorities to the authority of your clients");
}

void ListeningReport::note_published(std::span<const transport::Endpoint> published) const {
  if (!listens_by_default_ || !report_) return;
  const auto found = std::ranges::find_if(published, leads_elsewhere);
  if (found == published.end()) return;
  report_("references name " + found->host +
          ", but the server listens for clients on its own machine only: add -ORBListenEndpoints iiop://:" +
          std::to_string(found->port));
}

void ListeningReport::note_addresses(const transport::Endpoint& bound,
                                     std::span<const transport::Endpoint> addresses) const {
  if (!report_ || addresses.empty()) return;
  const transport::Endpoint& first = addresses.front();
  if (first == bound || !is_within_machine(first.host)) return;
  report_(
      "references name 127.0.0.1, which only clients on this machine can use, because it has no other "
      "address yet: start the server when the network is up, or set -ORBPublishedEndpoints");
}

}  // namespace takt::orb
