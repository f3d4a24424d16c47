// Brings no messaging protocol.
#include <takt/orb/plugin.h>

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_messaging(nullptr);
  return takt::plugin_interface;
}
