// The messaging protocol of checked.cpp as the conformance suite tests it.
#include <messaging_suite.h>
#include <takt/orb/plugin.h>

#include <utility>

namespace takt::giop {
namespace {

class Registry final : public PluginRegistry {
 public:
  void add_messaging(std::unique_ptr<const MessagingProtocol> one) override { protocol = std::move(one); }
  void add_transport(std::unique_ptr<transport::Transport>) override {}
  void add_compression(std::unique_ptr<const CompressionMethod>) override {}
  void add_policy_control(std::unique_ptr<const reference::PolicyControl>) override {}
  transport::Transport* find_transport(std::string_view) override { return nullptr; }
  std::string_view arguments() const override { return {}; }

  std::unique_ptr<const MessagingProtocol> protocol;
};

const TestedProtocol checked{
    .name = "checked",
    .make =
        [] {
          Registry registry;
          takt_plugin(plugin_interface, registry);
          return std::move(registry.protocol);
        },
    .notices_damage = true,
};

}  // namespace

std::vector<const TestedProtocol*> tested_protocols() { return {&checked}; }

}  // namespace takt::giop
