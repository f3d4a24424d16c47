// Where the long part of a message lies, for the system that copies it.
#pragma once

#include <takt/base/gather_buffer.h>

namespace takt::giop {

// The block copy of some processors (`rep movsb`, with which the system takes what is sent) needs fifteen
// times as long where the destination is 1 to 15 octets ahead of the source, counted modulo 4,096. A long
// vector begins 16 octets into a page, and TCP puts the first octet of a message at the beginning of one
// where it can; so behind GIOPlite's head of 16 octets and a count of 4 it would be copied to 20, and behind
// the 24 of a GIOP 1.2 reply to 28. Such a head gets a service context that says nothing, 16 octets with
// everything, where it has none. The message is finished, and has a borrowed run; all others are left alone.
void ease_copying(GatherBuffer& message);

}  // namespace takt::giop
