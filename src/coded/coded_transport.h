// A messaging protocol of a plug-in, over any transport.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <takt/giop/messaging_protocol.h>
#include <takt/transport/transport.h>

#include "client/client.h"

namespace takt::coded {

// To the rest of the ORB it is a transport that carries messages as ORBs know them, whose endpoints name the
// one that carries the octets: "checked:unix:/path", or "checked://host:port" for TCP. References have that
// text behind the first colon as their host. Any transport will do but those whose endpoints mean something
// on one machine alone.
class CodedTransport final : public transport::Transport {
 public:
  // The client lives as long.
  CodedTransport(std::unique_ptr<const giop::MessagingProtocol> protocol, const client::Client& client)
      : protocol_(std::move(protocol)), client_(client) {}

  std::string_view name() const override { return protocol_->name(); }
  transport::ProfileForm profile_form() const override {
    return {.tag = protocol_->profile_tag(), .has_port = false};
  }
  // So that nothing need be known of what carries it.
  bool calls_both_ways() const override { return false; }

  transport::EndpointResult parse(std::string_view address) const override;
  bool is_definite(const transport::Endpoint& endpoint) const override;
  transport::Endpoint beside(const transport::Endpoint& configured) const override;
  std::vector<transport::Endpoint> published(const transport::Endpoint& bound) const override;

  transport::ListenResult listen(const transport::Endpoint& on,
                                 const transport::ListenOptions& options) override;
  transport::ConnectResult connect(const transport::Endpoint& to, os::TimePoint deadline,
                                   const transport::StreamOptions& options) override;

 private:
  // Of what carries the octets.
  struct Carrier {
    transport::Transport* transport;
    transport::Endpoint endpoint;
  };
  Expected<Carrier, std::string> carrier_of(std::string_view address) const;

  const std::shared_ptr<const giop::MessagingProtocol> protocol_;
  const client::Client& client_;
};

}  // namespace takt::coded
