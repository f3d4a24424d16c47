// Placement of a message's long part, so that the kernel copies it fast.
#pragma once

#include <takt/base/gather_buffer.h>

namespace takt::giop {

// The kernel copies sent data with `rep movsb`. On some processors that takes fifteen times as long if the
// destination is 1 to 15 octets ahead of the source, modulo 4,096. A long vector begins 16 octets into a
// page, and TCP usually puts the first octet of a message at the start of a page. So after GIOPlite's head of
// 16 octets and a count of 4, the vector would be copied to 20; after the 24 of a GIOP 1.2 reply, to 28. Such
// a head gets an empty service context of 16 octets, unless it has contexts. The message must be finished and
// have a borrowed run. All other messages stay unchanged.
void align_for_copying(GatherBuffer& message);

}  // namespace takt::giop
