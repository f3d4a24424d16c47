// The object that a command calls.
#pragma once

#include <chrono>
#include <string>

#include <takt/reference/object.h>

#include "common/command.h"
#include "ior/calls.h"

namespace takt::command {

// Values of --deadline.
inline constexpr command_line::Times call_deadlines{std::chrono::milliseconds(1), std::chrono::hours(1)};

// The reference's text. `given`: as for reference_from(), or @FILE. Throws a Failure.
std::string reference_text(const std::string& given);
// Makes no call. Throws a Failure for the nil reference, and the exceptions of string_to_object.
CORBA::object_reference<CORBA::Object> object_at(const ClientOrb& orb, const std::string& reference_text);

}  // namespace takt::command
