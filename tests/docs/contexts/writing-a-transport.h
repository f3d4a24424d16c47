#pragma once

#include "plain.h"

#include <atomic>

#include <takt/orb/plugin.h>
#include <takt/rt/protocols.h>
#include <takt/rt/rtcorba.h>

struct MyTransport : takt::transport::Transport {
  explicit MyTransport(std::string arguments);
  std::string_view name() const override;
  takt::transport::ProfileForm profile_form() const override;
  takt::transport::EndpointResult parse(std::string_view address) const override;
  bool is_definite(const takt::transport::Endpoint& endpoint) const override;
  takt::transport::Endpoint beside(const takt::transport::Endpoint& configured) const override;
  takt::transport::ListenResult listen(const takt::transport::Endpoint& on,
                                       const takt::transport::ListenOptions& options) override;
  takt::transport::ConnectResult connect(const takt::transport::Endpoint& to, takt::os::TimePoint deadline,
                                         const takt::transport::StreamOptions& options) override;
};

inline IDL::traits<RTCORBA::RTORB>::ref_type rt;
