// Brings a transport of a name that there is already.
#include "misnamed.h"

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_transport(std::make_unique<broken::Misnamed>("iiop", 77));
  return takt::plugin_interface;
}
