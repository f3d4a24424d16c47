// UDP over IPv4 and IPv6: "udp" in endpoints. References carry it in a profile of Takt's own.
#pragma once

#include <span>

#include <takt/transport/transport.h>

#include "os/net/resolver.h"
#include "transport/udp/udp_stream.h"

namespace takt::transport {

inline constexpr std::uint32_t udp_profile = 0x54414b09;

// Streams over datagrams, which are repeated when possibly lost, and accepted once. Before the handshake is
// complete a server keeps no state and sends no more than it has received. Every datagram carries the token
// agreed in the handshake. docs/protocol/udp.md describes the protocol.
class UdpTransport final : public Transport {
 public:
  explicit UdpTransport(UdpOptions options = {}) : options_(options) {}

  std::string_view name() const override { return "udp"; }
  ProfileForm profile_form() const override { return {.tag = udp_profile, .has_port = true}; }
  // Only the client's end repeats of its own accord, so a call-back could be lost for good.
  bool supports_bidirectional() const override { return false; }

  EndpointResult parse(std::string_view address) const override;
  bool is_definite(const Endpoint& endpoint) const override;
  Endpoint beside(const Endpoint& configured) const override {
    return {configured.protocol, configured.host, 0};
  }

  // Like TcpTransport's.
  ListenResult listen(const Endpoint& on, const ListenOptions& options) override;
  std::vector<Endpoint> published(const Endpoint& bound) const override;
  // Includes the handshake. A server that accepts no connections does not answer.
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) override;
  // Connects to the first of `addresses` that answers, like TcpTransport.
  ConnectResult connect(const Endpoint& to, std::span<const os::Address> addresses, os::TimePoint deadline,
                        const StreamOptions& options) const;

 private:
  const UdpOptions options_;
  os::Resolver resolver_;
};

}  // namespace takt::transport
