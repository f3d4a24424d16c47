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
  std::vector<std::string> idl, include;     // files, folders
  std::vector<std::string> inside, outside;  // endpoints
};

// listen, publish, output and to-server as on the command line; orb-options, idl, include, inside and outside
// as lists; and a table [to] of KEY = REFERENCE. See docs/user/bridge.md. The error says what is wrong, on
// which line of `origin`. Unknown keys are errors.
std::expected<BridgeSettings, std::string> bridge_settings_of(std::string_view text,
                                                              const std::string& origin);

}  // namespace takt::command
