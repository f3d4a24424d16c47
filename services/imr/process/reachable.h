// Whether anything takes connections at an address.
#pragma once

#include <chrono>
#include <string>

namespace takt::imr {

// Whether a TCP connection to "HOST:PORT" or "[HOST]:PORT" comes about within the time, for which this blocks
// at most. Sends nothing. A thread that looks the host's name up may outlive the call. The system takes
// connections for a process that is paused.
bool takes_connections(const std::string& address, std::chrono::milliseconds time);

}  // namespace takt::imr
