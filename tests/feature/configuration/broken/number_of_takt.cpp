// Brings a method of compression with a number of Takt's.
#include "no_method.h"

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_compression(std::make_unique<broken::NoMethod>("mine", 2));
  return takt::plugin_interface;
}
