// Reads the heads of messages for a log's trace.
#pragma once

#include "logs/traced_stream.h"

namespace takt::orb {

// Messages of GIOP, of GIOPlite, and packed ones. Any thread; allocates.
logs::MessageHead read_head(ByteView octets);

}  // namespace takt::orb
