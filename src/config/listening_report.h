// Remarks to the operator on where a server listens.
#pragma once

#include <functional>
#include <span>
#include <string>

#include <takt/transport/endpoint.h>

#include "config/settings.h"

namespace takt::orb {

// Any thread.
class ListeningReport {
 public:
  using Report = std::function<void(const std::string&)>;

  // `report` may be empty.
  ListeningReport(const Settings& settings, Report report);

  // Reports that clients without a certificate reach this listener, though the server requires certificates;
  // and that it accepts certificates of any authority, if the server asks for them.
  void note_listener(const transport::Endpoint& bound) const;
  // Reports that other machines are told of addresses at which the default endpoint, which is reachable from
  // this machine only, does not listen. A proxy, whose address is published, would need one with a port.
  void note_published(std::span<const transport::Endpoint> published) const;
  // Reports that references to a server at all addresses lead other machines to themselves, because this one
  // has no address yet. `addresses`: those of `bound` that references contain.
  void note_addresses(const transport::Endpoint& bound, std::span<const transport::Endpoint> addresses) const;

 private:
  const Report report_;
  const transport::ClientCertificates client_certificates_;
  const bool trusts_system_;       // no TLSAuthorities
  const bool listens_by_default_;  // ListenEndpoints has its default
};

}  // namespace takt::orb
