// UNIX-domain sockets: "unix" in endpoints. References use the profile of TAO's UIOP.
#pragma once

#include <takt/transport/transport.h>

namespace takt::transport {

inline constexpr std::uint32_t uds_profile = 0x54414f00;

class UdsTransport final : public Transport {
 public:
  std::string_view name() const override { return "unix"; }
  ProfileForm profile_form() const override { return {.tag = uds_profile, .has_port = false}; }

  EndpointResult parse(std::string_view address) const override;
  bool is_definite(const Endpoint& endpoint) const override { return !endpoint.host.empty(); }
  Endpoint beside(const Endpoint& configured) const override;

  // The acceptor's destructor removes the file.
  ListenResult listen(const Endpoint& on, const ListenOptions& options) override;
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) override;
};

}  // namespace takt::transport
