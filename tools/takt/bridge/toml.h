// Reads the settings of a bridge from TOML.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace takt::command {

struct BridgedObject {
  std::string key, reference;  // empty key: the object's own
};

struct BridgeSettings {
  std::vector<BridgedObject> objects;
  std::string server, listen, publish, output;
  std::vector<std::string> orb_options;
  std::vector<std::string> idl, include;     // files, folders
  std::vector<std::string> inside, outside;  // endpoints
};

// The keys listen, publish, output and to-server are as on the command line; orb-options, idl, include,
// inside and outside are lists; table [to] has KEY = REFERENCE. See docs/user/bridge.md. Unknown keys are
// errors. The error is readable text with the line of `origin`.
std::expected<BridgeSettings, std::string> bridge_settings_of(std::string_view text,
                                                              const std::string& origin);

}  // namespace takt::command
