// Fails after it has brought a transport.
#include <stdexcept>

#include "misnamed.h"

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_transport(std::make_unique<broken::Misnamed>("early", 77));
  throw std::runtime_error("too late");
}
