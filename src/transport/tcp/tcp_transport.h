// TCP over IPv4 and IPv6: "iiop" in endpoints, TAG_INTERNET_IOP in references.
#pragma once

#include <span>

#include <takt/transport/stream_options.h>
#include <takt/transport/transport.h>

#include "os/net/resolver.h"

namespace takt::transport {

class TcpTransport final : public Transport {
 public:
  std::string_view name() const override { return "iiop"; }
  ProfileForm profile_form() const override { return {.tag = 0, .has_port = true}; }

  // "//host:port", "//[::1]:2809", "//:2809", "//host"; the slashes may be omitted.
  EndpointResult parse(std::string_view address) const override;
  bool is_definite(const Endpoint& endpoint) const override;
  Endpoint beside(const Endpoint& configured) const override {
    return {configured.protocol, configured.host, 0};
  }

  // An empty host or "::" means all interfaces, IPv4 and IPv6 (only IPv4 if the system has no IPv6);
  // "0.0.0.0" means all of IPv4. A host name is resolved, and its first bindable address is used. Port 0 lets
  // the system choose. A port in TIME_WAIT is reused; one with a listener is not.
  ListenResult listen(const Endpoint& on, const ListenOptions& options) override;
  std::vector<Endpoint> published(const Endpoint& bound) const override;

  ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) override;
  // Connects to the first of `addresses` that answers: the part of connect() after the host was resolved.
  // `to` is for error texts.
  ConnectResult connect(const Endpoint& to, std::span<const os::Address> addresses, os::TimePoint deadline,
                        const StreamOptions& options) const;

 private:
  os::Resolver resolver_;
};

}  // namespace takt::transport
