// A transport of a plug-in, for the suite: the plug-in gets a registry with Takt's own transports.
#pragma once

#include <plugin_registry.h>
#include <takt/orb/own_transports.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace takt::transport {

class PluginTransport final : public Transport {
 public:
  // `plugin` has the signature of takt_plugin; `name` is that of the transport which it registers.
  PluginTransport(decltype(takt_plugin)* plugin, std::string_view name, std::string arguments = {})
      : registry_(std::move(arguments)) {
    if (plugin(plugin_interface, registry_) != plugin_interface)
      throw std::logic_error("the plug-in was compiled against other headers");
    plugged_in_ = registry_.find_transport(name);
    if (!plugged_in_)
      throw std::logic_error("the plug-in has registered no transport '" + std::string(name) + "'");
  }
  std::string_view name() const override { return plugged_in_->name(); }
  ProfileForm profile_form() const override { return plugged_in_->profile_form(); }
  bool supports_bidirectional() const override { return plugged_in_->supports_bidirectional(); }
  EndpointResult parse(std::string_view address) const override { return plugged_in_->parse(address); }
  bool is_definite(const Endpoint& endpoint) const override { return plugged_in_->is_definite(endpoint); }
  Endpoint beside(const Endpoint& configured) const override { return plugged_in_->beside(configured); }
  std::string validate(std::string_view settings) const override { return plugged_in_->validate(settings); }
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
  class Registry final : public test::PluginRegistry {
   public:
    explicit Registry(std::string arguments) : arguments_(std::move(arguments)) {
      for (const char* name : {"iiop", "unix", "shm", "inproc", "udp"})
        transports_.add(make_own_transport(name));
    }
    void add_transport(std::unique_ptr<Transport> transport) override {
      if (!transport || !transports_.add(std::move(transport)))
        throw std::invalid_argument("no transport, or a name or profile tag that is taken");
    }
    Transport* find_transport(std::string_view name) override { return transports_.find(name); }
    std::string_view arguments() const override { return arguments_; }

   private:
    const std::string arguments_;
    TransportRegistry transports_;
  };

  Registry registry_;
  Transport* plugged_in_ = nullptr;
};

}  // namespace takt::transport
