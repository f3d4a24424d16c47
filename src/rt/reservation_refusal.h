// Why the kernel has reserved no processor time.
#pragma once

#include <string>

#include "os/threads/reservation.h"

namespace takt::rt {

// NO_RESOURCES, NO_PERMISSION or BAD_PARAM with the times, from what os::reserve() has said. `whose`: for
// what the time was, as in "for the calling thread".
[[noreturn]] void throw_not_reserved(const os::Reservation& reservation, const std::string& whose, int error);

}  // namespace takt::rt
