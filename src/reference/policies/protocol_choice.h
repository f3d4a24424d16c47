// The transports that calls may use, with messaging and options for each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <takt/transport/stream_options.h>

#include "giop/header/messaging.h"

namespace takt::reference {

struct ProtocolChoice {
  std::uint32_t protocol = 0;  // the transport's profile tag
  transport::StreamOverrides streams = {};
  std::optional<giop::Messaging> messaging = {};  // nullopt: according to the ORB's options
  bool requires_lite() const { return messaging && messaging->short_heads; }
};
// In order of preference; other transports are not used.
using ProtocolChoices = std::vector<ProtocolChoice>;

}  // namespace takt::reference
