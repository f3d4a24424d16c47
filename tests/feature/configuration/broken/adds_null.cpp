// Registers nothing where a transport should be.
#include <takt/orb/plugin.h>

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_transport(nullptr);
  return takt::plugin_interface;
}
