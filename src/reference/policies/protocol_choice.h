// Over which transports calls may go, with which messaging and options.
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
  std::optional<giop::Messaging> messaging = {};  // nothing: as the ORB's options say
  bool says_lite() const { return messaging && messaging->short_heads; }
};
// The most wanted first; others are not used.
using ProtocolChoices = std::vector<ProtocolChoice>;

}  // namespace takt::reference
