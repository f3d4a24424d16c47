// Files of pcapng (draft-ietf-opsawg-pcapng), which Wireshark and tshark read.
#pragma once

#include <string>
#include <vector>

#include "record/packets.h"
#include "recorder/recording_file.h"

namespace takt::command {

// The beginning of a file: a section with one interface of raw IP. Its comment says which process the
// recording is of. `program`: what writes the file.
std::string pcapng_head(const recorder::Recording& recording, const std::string& program);
// The packets, which follow the beginning.
std::string pcapng_of(const std::vector<TcpPacket>& packets);
// A whole file of takt record dump.
std::string pcapng_of(const recorder::Recording& recording, const std::vector<TcpPacket>& packets);

}  // namespace takt::command
