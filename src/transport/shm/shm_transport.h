// Shared memory: "shm" in endpoints. References carry it in a profile of Takt's own.
#pragma once

#include <takt/transport/transport.h>

namespace takt::transport {

inline constexpr std::uint32_t shm_profile = 0x54414b04;
inline constexpr std::uint32_t shm_protocol_version = 3;

// Server and client meet at a UNIX-domain socket, with its names, permissions and credentials. Octets pass
// through two rings in memory that both map. See connection_memory.h for the hand-over.
class ShmTransport final : public Transport {
 public:
  std::string_view name() const override { return "shm"; }
  ProfileForm profile_form() const override {
    return {.tag = shm_profile, .has_port = false, .machine_protocol = shm_protocol_version};
  }

  EndpointResult parse(std::string_view address) const override;
  bool is_definite(const Endpoint& endpoint) const override { return !endpoint.host.empty(); }
  Endpoint beside(const Endpoint& configured) const override;

  // The acceptor's destructor removes the socket file.
  ListenResult listen(const Endpoint& on, const ListenOptions& options) override;
  // The rings have the size of the options' buffers, rounded up to a power of two.
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) override;
};

}  // namespace takt::transport
