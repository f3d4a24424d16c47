// The body of a message, copied out of the receive buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>

#include "giop/message/event.h"

namespace takt::giop {

struct BodyCopy {
  ByteView body;      // the event's, in the copy
  MutableBytes rest;  // as many octets beyond it as were asked for
};

// `storage` becomes the copy: it allocates only while it has never been as long. Numbers are aligned in the
// copy as they are in the message. `parts` becomes the event's, if it has some.
BodyCopy copy_body(const Event& event, std::size_t more, std::vector<std::uint8_t>& storage,
                   FragmentParts& parts);

}  // namespace takt::giop
