// What a bridge does, from TOML.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace takt::command {

struct BridgedObject {
  std::string key, reference;  // no key: the object's own
};

struct BridgeSettings {
  std::vector<BridgedObject> objects;
  std::string server, listen, publish, output;
  std::vector<std::string> orb_options;
};

// listen, publish, output, to-server and orb-options as on the command line, and a table [to] of KEY =
// REFERENCE; see docs/user/bridge.md. The error says what is wrong, on which line of `origin`. Unknown keys
// are errors.
std::expected<BridgeSettings, std::string> bridge_settings_of(std::string_view text,
                                                              const std::string& origin);

}  // namespace takt::command
