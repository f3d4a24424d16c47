// Connecting over TCP.
#pragma once

#include <span>

#include "os/resolver.h"
#include "transport/connector.h"
#include "transport/stream_options.h"

namespace takt::transport {

class TcpConnector final : public Connector {
 public:
  explicit TcpConnector(const StreamOptions& options = {}) : options_(options) {}

  std::expected<std::unique_ptr<Stream>, ConnectError> connect(const Endpoint& to,
                                                               os::TimePoint deadline) override;
  // To the first of `addresses` that answers; `to` is for the error's text. What connect() does once the host
  // is resolved.
  std::expected<std::unique_ptr<Stream>, ConnectError> connect(const Endpoint& to,
                                                               std::span<const os::Address> addresses,
                                                               os::TimePoint deadline) const;

 private:
  std::expected<std::unique_ptr<Stream>, int> try_address(const os::Address& address,
                                                          os::TimePoint deadline) const;

  const StreamOptions options_;
  os::Resolver resolver_;
};

}  // namespace takt::transport
