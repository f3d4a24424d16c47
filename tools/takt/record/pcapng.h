// Files of pcapng (draft-ietf-opsawg-pcapng), which Wireshark and tshark read.
#pragma once

#include <string>
#include <vector>

#include "record/packets.h"
#include "recorder/recording_file.h"

namespace takt::command {

// A section with one interface of raw IP. Its comment says which process the recording is of.
std::string pcapng_of(const recorder::Recording& recording, const std::vector<TcpPacket>& packets);

}  // namespace takt::command
