// Connecting over TCP.
#pragma once

#include "os/resolver.h"
#include "transport/connector.h"
#include "transport/stream_options.h"

namespace takt::transport {

class TcpConnector final : public Connector {
 public:
  explicit TcpConnector(const StreamOptions& options = {}) : options_(options) {}

  std::expected<std::unique_ptr<Stream>, ConnectError> connect(const Endpoint& to,
                                                               os::TimePoint deadline) override;

 private:
  std::expected<std::unique_ptr<Stream>, int> try_address(const os::Address& address,
                                                          os::TimePoint deadline) const;

  const StreamOptions options_;
  os::Resolver resolver_;
};

}  // namespace takt::transport
