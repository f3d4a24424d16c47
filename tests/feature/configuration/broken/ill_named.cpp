// Brings a transport whose name could not be told from an address.
#include "misnamed.h"

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_transport(std::make_unique<broken::Misnamed>("a:b", 77));
  return takt::plugin_interface;
}
