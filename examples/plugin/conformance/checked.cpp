// The messaging protocol of checked.cpp as the conformance suite tests it.
#include <messaging_suite.h>
#include <plugin_registry.h>

#include <utility>

namespace takt::giop {
namespace {

struct Registry final : test::PluginRegistry {
  void add_messaging(std::unique_ptr<const MessagingProtocol> one) override { protocol = std::move(one); }
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
