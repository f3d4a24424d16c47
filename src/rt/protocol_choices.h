// Converts lists of protocols.
#pragma once

#include <takt/rt/protocols.h>

#include "reference/policies/protocol_choice.h"

namespace takt::rt {

// Throws BAD_PARAM, with the reason, for an empty list, a duplicate protocol, and properties that belong to
// another protocol or are out of range.
reference::ProtocolChoices choices_of(const RTCORBA::ProtocolList& protocols);
// For a server, where each transport may occur only once, whatever its messaging.
reference::ProtocolChoices choices_of_server(const RTCORBA::ProtocolList& protocols);

}  // namespace takt::rt
