// What takt::choose_parts() has chosen.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <takt/orb/parts.h>

#include "client/client.h"
#include "orb/config/config_file.h"
#include "orb/config/settings.h"
#include "server/group_membership.h"
#include "server/server.h"
#include "transport/miop/group_options.h"

namespace takt::orb {
class Runtime;
struct EffectiveSettings;
}  // namespace takt::orb

namespace takt {

// As functions, so that what nobody chooses is not linked. Immutable once chosen.
class Parts {
 public:
  // In their order: that of a transport is the order of names in messages. INITIALIZE.
  std::vector<void (*)(transport::TransportRegistry&, const orb::Settings&)> transports;
  // Each null where it was not chosen.
  // Joins them; what it gives lives as long as they. `begin_thread`: what each thread that reads for a group
  // does first.
  std::shared_ptr<server::GroupMembership> (*add_groups)(client::Client&, server::Server&,
                                                         const transport::miop::GroupOptions&,
                                                         std::function<void()> begin_thread) = nullptr;
  void (*reload_certificates)(const reference::References&) = nullptr;
  void (*change_handshake_time)(const reference::References&, std::chrono::nanoseconds) = nullptr;
  std::expected<std::vector<orb::FileValue>, std::string> (*read_config_file)(const std::string& path) =
      nullptr;
  // Null where no option asks for it. What it returns ends its work when it goes, and goes before the
  // runtime.
  std::shared_ptr<void> (*begin_upkeep)(orb::Runtime& runtime,
                                        const orb::EffectiveSettings& effective) = nullptr;
};

}  // namespace takt

namespace takt::orb {

// Of this process. Any thread.
const Parts& chosen_parts();

}  // namespace takt::orb
