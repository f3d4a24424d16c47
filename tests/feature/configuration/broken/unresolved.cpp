// A plug-in that needs a function that does not exist.
#include <takt/orb/plugin.h>

int nobody_has_this();

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry&) {
  return static_cast<std::uint32_t>(nobody_has_this());
}
