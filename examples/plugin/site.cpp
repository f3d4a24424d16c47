// Policy control in a plug-in, loaded while an ORB starts. A site's rules decide which transports its clients
// may use and in which order, whatever references offer and programs request.
//
//   -ORBPlugin ./site.so:unix,ssliop,iiop=10.1.
//
// means: UNIX-domain sockets if the reference has one, else TLS, else plain TCP, but only to that network.
// Explained in docs/user/writing-a-policy-control.md.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <takt/orb/plugin.h>

namespace {

// Matches endpoints of the transport whose host begins with the prefix.
struct Rule {
  std::string transport, host;
  bool allows(const takt::transport::Endpoint& endpoint) const {
    return endpoint.protocol == transport && endpoint.host.starts_with(host);
  }
};

std::vector<Rule> rules_of(std::string_view text) {
  std::vector<Rule> rules;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(one.size() == text.size() ? one.size() : one.size() + 1);
    const std::string_view transport = one.substr(0, one.find('='));
    if (transport.empty()) throw std::invalid_argument("write site.so:TRANSPORT[=HOST],...");
    rules.push_back({std::string(transport),
                     std::string(transport.size() == one.size() ? "" : one.substr(transport.size() + 1))});
  }
  return rules;
}

class Site final : public takt::reference::PolicyControl {
 public:
  explicit Site(std::vector<Rule> rules) : rules_(std::move(rules)) {}

  std::string_view name() const override { return "site"; }
  std::vector<std::size_t> choose(std::span<const Way> ways) const override {
    std::vector<std::size_t> chosen;
    for (const Rule& rule : rules_)
      for (std::size_t way = 0; way < ways.size(); ++way)
        if (rule.allows(ways[way].endpoint)) chosen.push_back(way);
    return chosen;
  }

 private:
  const std::vector<Rule> rules_;
};

}  // namespace

std::uint32_t takt_plugin(std::uint32_t interface, takt::PluginRegistry& registry) {
  if (interface == takt::plugin_interface)
    registry.add_policy_control(std::make_unique<Site>(rules_of(registry.arguments())));
  return takt::plugin_interface;
}
