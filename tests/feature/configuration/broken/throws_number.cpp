// Throws what nobody expects.
#include <takt/orb/plugin.h>

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry&) { throw 5; }
