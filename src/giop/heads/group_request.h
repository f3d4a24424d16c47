// A multicast request to an object group.
#pragma once

#include <optional>

#include <takt/base/bytes.h>

#include "giop/header/limits.h"
#include "giop/message/event.h"
#include "giop/references/group.h"

namespace takt::giop {

// Parses a message, which must be aligned to 8 in memory: a complete GIOP 1.2 request that expects no
// response and names its target by a group profile. Empty for any other message. The event's views point into
// the message. Allocates.
std::optional<Group> read_group_request(ByteView message, const Limits& limits, Event& event);

}  // namespace takt::giop
