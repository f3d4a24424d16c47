// Brings a messaging protocol that does not have the connections that are made for it.
#include "no_messaging.h"

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_messaging(std::make_unique<broken::NoMessaging>("none", 0x54414b7d));
  return takt::plugin_interface;
}
