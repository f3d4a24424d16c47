// Exceptions for reservations that the kernel refused.
#pragma once

#include <string>

#include "os/threads/reservation.h"

namespace takt::rt {

// Throws NO_RESOURCES, NO_PERMISSION or BAD_PARAM with the times, for an error of os::reserve(). `whose` is
// part of the text, as in "for the calling thread".
[[noreturn]] void throw_not_reserved(const os::Reservation& reservation, const std::string& whose, int error);

}  // namespace takt::rt
