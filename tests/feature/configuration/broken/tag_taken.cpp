// Brings a transport with the profile tag of TCP, and does not care that it is refused.
#include <stdexcept>

#include "misnamed.h"

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  try {
    registry.add_transport(std::make_unique<broken::Misnamed>("other", 0));
  } catch (const std::invalid_argument&) {
    return takt::plugin_interface;
  }
  return takt::plugin_interface;
}
