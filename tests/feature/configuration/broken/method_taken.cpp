// Brings a method of compression of a name that there is already.
#include "no_method.h"

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_compression(std::make_unique<broken::NoMethod>("zlib", 200));
  return takt::plugin_interface;
}
