// Adds TLS to the connections of a plain peer.
#pragma once

#include <cstdint>
#include <memory>

namespace takt::test {

// Listens at the loopback address and forwards each connection over TLS to a local server, in both
// directions, without checking the server's certificate. Sends much of the data in small records, so that
// many arrive together. Throws std::runtime_error.
class TlsTunnel {
 public:
  explicit TlsTunnel(std::uint16_t server);
  ~TlsTunnel();
  TlsTunnel(const TlsTunnel&) = delete;
  TlsTunnel& operator=(const TlsTunnel&) = delete;
  std::uint16_t port() const;

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace takt::test
