// From one ORB to another of the same process: "inproc" in endpoints. In references it has a profile of
// Takt's own.
#pragma once

#include <takt/transport/transport.h>

namespace takt::transport {

inline constexpr std::uint32_t inproc_profile = 0x54414b08;
inline constexpr std::uint32_t inproc_protocol_version = 1;

// Rings in memory, as over shared memory, that do not leave the process: both ends meet at a name in the
// abstract space that has the process's identity in it, and each takes no other process for its peer. So
// there are no files, no permissions and no table of listeners in the process, threads wait and are woken as
// over shared memory, and whoever polls has a descriptor.
class InprocTransport final : public Transport {
 public:
  std::string_view name() const override { return "inproc"; }
  ProfileForm profile_form() const override {
    return {.tag = inproc_profile,
            .has_port = false,
            .one_process = true,
            .machine_protocol = inproc_protocol_version};
  }

  // "NAME", without a slash and of up to 32 octets; nothing: a name that the transport chooses.
  EndpointResult parse(std::string_view address) const override;
  bool is_definite(const Endpoint& endpoint) const override { return !endpoint.host.empty(); }
  Endpoint beside(const Endpoint& configured) const override;

  // EADDRINUSE where the process listens at that name already.
  ListenResult listen(const Endpoint& on, const ListenOptions& options) override;
  // The rings are as large as the options' buffers, rounded up to a power of two.
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) override;
};

}  // namespace takt::transport
