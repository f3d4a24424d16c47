// A request to a group of objects, as multicast brings it.
#pragma once

#include <optional>

#include <takt/base/bytes.h>

#include "giop/header/limits.h"
#include "giop/message/event.h"
#include "giop/references/group.h"

namespace takt::giop {

// Takes the message apart, which begins at a multiple of 8 in memory: a whole request of GIOP 1.2 that
// expects no response, and names its target by a group's profile. Nothing for anything else. The event's
// views are of the message. Allocates.
std::optional<Group> read_group_request(ByteView message, const Limits& limits, Event& event);

}  // namespace takt::giop
