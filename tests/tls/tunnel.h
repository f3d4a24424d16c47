// What a peer says without TLS, said with it.
#pragma once

#include <cstdint>
#include <memory>

namespace takt::test {

// Listens on the loopback address, and passes each connection on to a server there by TLS, both ways, whose
// certificate it does not check. Much of what it says is in small records, so that many arrive together.
// Throws std::runtime_error.
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
