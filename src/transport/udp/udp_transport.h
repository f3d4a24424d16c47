// UDP over IPv4 and IPv6: "udp" in endpoints. In references it has a profile of Takt's own.
#pragma once

#include <span>

#include <takt/transport/transport.h>

#include "os/net/resolver.h"
#include "transport/udp/udp_stream.h"

namespace takt::transport {

inline constexpr std::uint32_t udp_profile = 0x54414b09;

// Streams whose octets go in datagrams, each sent again when it may be lost, and taken once. A connection
// begins with a handshake, before which a server keeps nothing and sends no more than it has got; the token
// that it agrees on is in each datagram. docs/protocol/udp.md has the protocol.
class UdpTransport final : public Transport {
 public:
  explicit UdpTransport(UdpOptions options = {}) : options_(options) {}

  std::string_view name() const override { return "udp"; }
  ProfileForm profile_form() const override { return {.tag = udp_profile, .has_port = true}; }
  // Only the client's end sends again of its own accord, so that a call-back could be lost for good.
  bool calls_both_ways() const override { return false; }

  EndpointResult parse(std::string_view address) const override;
  bool is_definite(const Endpoint& endpoint) const override;
  Endpoint beside(const Endpoint& configured) const override {
    return {configured.protocol, configured.host, 0};
  }

  // As TcpTransport's.
  ListenResult listen(const Endpoint& on, const ListenOptions& options) override;
  std::vector<Endpoint> published(const Endpoint& bound) const override;
  // With the handshake: a server that takes no connections does not answer.
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) override;
  // To the first of `addresses` that answers, as TcpTransport has it.
  ConnectResult connect(const Endpoint& to, std::span<const os::Address> addresses, os::TimePoint deadline,
                        const StreamOptions& options) const;

 private:
  const UdpOptions options_;
  os::Resolver resolver_;
};

}  // namespace takt::transport
