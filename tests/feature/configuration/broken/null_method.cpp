// Brings no method of compression.
#include <takt/orb/plugin.h>

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_compression(nullptr);
  return takt::plugin_interface;
}
