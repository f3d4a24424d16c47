// Brings a messaging protocol of a tag that a transport has already.
#include "no_messaging.h"

std::uint32_t takt_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_messaging(std::make_unique<broken::NoMessaging>("mine", 0));
  return takt::plugin_interface;
}
