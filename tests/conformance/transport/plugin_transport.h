// The example plug-in's transport, as an ORB registers it.
#pragma once

#include <memory>
#include <stdexcept>

#include "../../plugin_registry.h"
#include "transport/tcp/tcp_transport.h"

namespace takt::transport {

class PluginTransport final : public Transport {
 public:
  PluginTransport() {
    registry_.transports.add(std::make_unique<TcpTransport>());
    if (takt_plugin(plugin_interface, registry_) != plugin_interface)
      throw std::logic_error("compiled against other headers");
    plugged_in_ = registry_.transports.find("traced");
  }
  std::string_view name() const override { return plugged_in_->name(); }
  ProfileForm profile_form() const override { return plugged_in_->profile_form(); }
  EndpointResult parse(std::string_view address) const override { return plugged_in_->parse(address); }
  bool is_definite(const Endpoint& endpoint) const override { return plugged_in_->is_definite(endpoint); }
  Endpoint beside(const Endpoint& configured) const override { return plugged_in_->beside(configured); }
  std::vector<Endpoint> published(const Endpoint& bound) const override {
    return plugged_in_->published(bound);
  }
  ListenResult listen(const Endpoint& on, const ListenOptions& options) override {
    return plugged_in_->listen(on, options);
  }
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) override {
    return plugged_in_->connect(to, deadline, options);
  }

 private:
  struct Registry final : test::PluginRegistry {
    void add_transport(std::unique_ptr<Transport> transport) override {
      if (!transports.add(std::move(transport))) throw std::invalid_argument("a name that is taken");
    }
    Transport* find_transport(std::string_view name) override { return transports.find(name); }
    std::string_view arguments() const override { return "/dev/null"; }  // the trace file

    TransportRegistry transports;
  };

  Registry registry_;
  Transport* plugged_in_ = nullptr;
};

}  // namespace takt::transport
