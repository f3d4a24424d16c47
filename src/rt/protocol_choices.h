// What lists of protocols come to.
#pragma once

#include <takt/rt/protocols.h>

#include "reference/policies/protocol_choice.h"

namespace takt::rt {

// BAD_PARAM, with the reason, for an empty list, a protocol that comes twice,
// and properties that are not the protocol's or out of range.
reference::ProtocolChoices choices_of(const RTCORBA::ProtocolList& protocols);
// Of a server, for which a transport comes once, whatever its messaging.
reference::ProtocolChoices choices_of_server(const RTCORBA::ProtocolList& protocols);

}  // namespace takt::rt
