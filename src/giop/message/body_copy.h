// Copies a message body out of the receive buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>

#include "giop/message/event.h"

namespace takt::giop {

struct BodyCopy {
  ByteView body;      // the event's body, in the copy
  MutableBytes rest;  // the requested extra octets after it
};

// Copies into `storage`, which allocates only if it was never as long. Alignment in the copy is the same as
// in the message. `parts` becomes a copy of the event's parts, if any.
BodyCopy copy_body(const Event& event, std::size_t more, std::vector<std::uint8_t>& storage,
                   FragmentParts& parts);

}  // namespace takt::giop
