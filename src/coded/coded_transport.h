// A plug-in's messaging protocol over any transport.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <takt/giop/messaging_protocol.h>
#include <takt/transport/transport.h>

#include "client/client.h"

namespace takt::coded {

// To the rest of the ORB it is a transport that carries standard GIOP messages. Its endpoints name the
// transport that carries the octets: "checked:unix:/path", or "checked://host:port" for TCP. References have
// the text after the first colon as their host. It works over any transport except those whose endpoints have
// a meaning on one machine only.
class CodedTransport final : public transport::Transport {
 public:
  // `client` must outlive it.
  CodedTransport(std::unique_ptr<const giop::MessagingProtocol> protocol, const client::Client& client)
      : protocol_(std::move(protocol)), client_(client) {}

  std::string_view name() const override { return protocol_->name(); }
  transport::ProfileForm profile_form() const override {
    return {.tag = protocol_->profile_tag(), .has_port = false};
  }
  // Always false, so that the answer does not depend on the carrier.
  bool supports_bidirectional() const override { return false; }

  transport::EndpointResult parse(std::string_view address) const override;
  bool is_definite(const transport::Endpoint& endpoint) const override;
  transport::Endpoint beside(const transport::Endpoint& configured) const override;
  std::vector<transport::Endpoint> published(const transport::Endpoint& bound) const override;

  transport::ListenResult listen(const transport::Endpoint& on,
                                 const transport::ListenOptions& options) override;
  transport::ConnectResult connect(const transport::Endpoint& to, os::TimePoint deadline,
                                   const transport::StreamOptions& options) override;

 private:
  // The transport that carries the octets, and the endpoint there.
  struct Carrier {
    transport::Transport* transport;
    transport::Endpoint endpoint;
  };
  Expected<Carrier, std::string> carrier_of(std::string_view address) const;

  const std::shared_ptr<const giop::MessagingProtocol> protocol_;
  const client::Client& client_;
};

}  // namespace takt::coded
