// Personality in a plug-in: defaults for a server that clients of an open network reach.
//
//   -ORBPlugin ./gateway.so -ORBPersonality gateway
//
// Explained in docs/user/writing-a-strategy.md.
#include <cstdint>

#include <takt/orb/plugin.h>

namespace {

constexpr takt::Preset presets[] = {
    {"ServerConcurrency", "worker-pool", "a client that waits holds no thread"},
    {"MaxQueuedRequests", "64", "an overloaded server refuses at once instead of answering late"},
    {"MaxConnectionsPerPeer", "8", "one client cannot take the connections of all"},
    {"MaxMessageSize", "64KiB", "limits what one message can take of the memory"},
    {"MessageTimeout", "2s", "a client that stalls in a message does not hold its memory for long"},
    {"IdleTimeout", "1min", "connections that nobody uses are closed"},
};

constexpr takt::Personality gateway = {
    .name = "gateway",
    .meaning = "Servers that clients of an open network reach. Not for long messages.",
    .presets = presets,
};

}  // namespace

// It has nothing else to add.
std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry&) { return takt::plugin_interface; }

std::uint32_t takt_personalities(std::uint32_t interface, takt::PersonalityRegistry& registry) {
  if (interface == takt::plugin_interface) registry.add_personality(gateway);
  return takt::plugin_interface;
}
