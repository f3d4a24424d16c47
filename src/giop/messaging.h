// Which messages a connection may carry.
#pragma once

#include <string>

namespace takt::giop {

// GIOP, and what both ends agree on besides.
struct Messaging {
  bool short_heads = false;  // GIOPlite's
  bool compression = false;  // of long messages
  std::string methods =
      {};  // by which, the most wanted first, divided by commas; empty: as the ORB's options say
  static const Messaging giop, lite;
  friend bool operator==(const Messaging&, const Messaging&) = default;
};
inline const Messaging Messaging::giop{};
inline const Messaging Messaging::lite{.short_heads = true};

// What distinguishes it, for names of connections.
inline std::string to_text(const Messaging& messaging) {
  return std::string(messaging.short_heads ? " lite" : "") + (messaging.compression ? " compressed" : "") +
         (messaging.methods.empty() ? "" : " by " + messaging.methods);
}

}  // namespace takt::giop
