// A transport with a name and a tag, and nothing behind it.
#pragma once

#include <string>

#include <takt/orb/plugin.h>

namespace broken {

using namespace takt::transport;

class Misnamed final : public Transport {
 public:
  Misnamed(std::string name, std::uint32_t tag) : name_(std::move(name)), tag_(tag) {}
  std::string_view name() const override { return name_; }
  ProfileForm profile_form() const override { return {.tag = tag_, .has_port = false}; }
  EndpointResult parse(std::string_view) const override { return Endpoint{name_, "", 0}; }
  bool is_definite(const Endpoint&) const override { return false; }
  Endpoint beside(const Endpoint& configured) const override { return configured; }
  ListenResult listen(const Endpoint&, const ListenOptions&) override {
    return takt::Unexpected(ListenError{1, "listens nowhere"});
  }
  ConnectResult connect(const Endpoint&, takt::os::TimePoint, const StreamOptions&) override {
    return takt::Unexpected(ConnectError{ConnectError::Phase::connect, 1, "connects to nobody"});
  }

 private:
  const std::string name_;
  const std::uint32_t tag_;
};

}  // namespace broken
