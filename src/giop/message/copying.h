// Where the long part of a message lies, for the system that copies it.
#pragma once

#include <takt/base/gather_buffer.h>

namespace takt::giop {

// The block copy of some processors (`rep movsb`, with which the system takes what is sent) needs fifteen
// times as long where the destination is 1 to 15 octets ahead of the source, counted modulo 4,096. A long
// vector begins 16 octets into a page, and the system puts the first octet of a message at the beginning of
// one, so that heads of 17 to 31 octets before it are such: those of GIOP 1.2's replies, and of GIOPlite.
// They get a service context that says nothing, 8 or 16 octets with everything, where they have none. The
// message is finished; all others are left alone.
void ease_copying(GatherBuffer& message);

}  // namespace takt::giop
