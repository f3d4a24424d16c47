// Exceptions for reservations that the kernel refused.
#pragma once

#include <chrono>
#include <string>

#include "threads/scheduling/reservation.h"

namespace takt::rt {

// Throws NO_RESOURCES, NO_PERMISSION or BAD_PARAM with the times, for an error of os::reserve(). `whose` is
// part of the text, as in "for the calling thread".
[[noreturn]] void throw_not_reserved(const os::Reservation& reservation, const std::string& whose, int error);

// "1500 us", or "1 ns" for a time that is no whole number of microseconds.
std::string text_of_time(std::chrono::nanoseconds time);

// The budgets, deadlines and periods that the kernel takes, for texts about those that it refused.
extern const char* const times_of_reservations;

}  // namespace takt::rt
