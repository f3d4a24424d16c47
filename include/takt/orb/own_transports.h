// Takt's own transports outside of an ORB: for programs and tests whose transport wraps one.
#pragma once

#include <memory>
#include <string_view>

#include <takt/transport/transport.h>

namespace takt {

// A transport with default settings by its name in endpoints: "iiop", "unix", "shm", "inproc" or "udp". Null:
// there is none of that name. Any thread. Allocates. Throws std::bad_alloc.
std::unique_ptr<transport::Transport> make_own_transport(std::string_view name);

}  // namespace takt
