// Cannot work without something.
#include <stdexcept>
#include <string>

#include <takt/orb/plugin.h>

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  throw std::runtime_error("no device " + std::string(registry.arguments()));
}
