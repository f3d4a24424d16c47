// What takt::choose_parts() has chosen.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <takt/orb/parts.h>

#include "connection/orb_core.h"
#include "orb/config/config_file.h"
#include "orb/config/settings.h"

namespace takt {

// As functions, so that what nobody chooses is not linked. Immutable once chosen.
class Parts {
 public:
  // In their order: that of a transport is the order of names in messages. INITIALIZE.
  std::vector<void (*)(connection::OrbCore&, const orb::Settings&)> transports;
  // Each null where it was not chosen.
  std::shared_ptr<connection::Groups> (*make_groups)(connection::OrbCore&,
                                                     std::function<void()> begin_thread) = nullptr;
  void (*reload_certificates)(const connection::OrbCore&) = nullptr;
  void (*change_handshake_time)(const connection::OrbCore&, std::chrono::nanoseconds) = nullptr;
  std::expected<std::vector<orb::FileValue>, std::string> (*read_config_file)(const std::string& path) =
      nullptr;
};

}  // namespace takt

namespace takt::orb {

// Of this process. Any thread.
const Parts& chosen_parts();

}  // namespace takt::orb
