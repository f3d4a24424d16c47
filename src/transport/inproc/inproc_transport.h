// Connections between ORBs of one process: "inproc" in endpoints. References carry it in a profile of Takt's
// own.
#pragma once

#include <takt/transport/transport.h>

namespace takt::transport {

inline constexpr std::uint32_t inproc_profile = 0x54414b08;
inline constexpr std::uint32_t inproc_protocol_version = 1;

// Uses the rings of the shared-memory transport within one process. Both ends meet at a name in the abstract
// namespace that contains the process identity, and each rejects peers of other processes. So it needs no
// files, permissions or table of listeners; threads wait and wake as over shared memory, and reactors have a
// descriptor to poll.
class InprocTransport final : public Transport {
 public:
  std::string_view name() const override { return "inproc"; }
  ProfileForm profile_form() const override {
    return {.tag = inproc_profile,
            .has_port = false,
            .one_process = true,
            .machine_protocol = inproc_protocol_version};
  }

  // "NAME": up to 32 octets without a slash. Empty: the transport chooses a name.
  EndpointResult parse(std::string_view address) const override;
  bool is_definite(const Endpoint& endpoint) const override { return !endpoint.host.empty(); }
  Endpoint beside(const Endpoint& configured) const override;

  // Fails with EADDRINUSE if the process already listens at that name.
  ListenResult listen(const Endpoint& on, const ListenOptions& options) override;
  // The rings have the size of the options' buffers, rounded up to a power of two.
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) override;
};

}  // namespace takt::transport
