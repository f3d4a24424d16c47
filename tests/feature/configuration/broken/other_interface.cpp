// A plug-in compiled with another version of the headers.
#include <takt/orb/plugin.h>

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry&) { return 7u << 16; }
