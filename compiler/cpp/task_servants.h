// Servants whose methods are coroutines (--tasks).
#pragma once

#include <expected>
#include <string>

#include "cpp/context.h"

namespace takt::idl::cpp {

// Print the part of fooS.h: skeletons, and CORBA::task_traits at its end.
void print_task_servants(Context& context);
// Prints the part of fooS.cpp. The error is readable text.
std::expected<void, std::string> print_task_servants_source(Context& context);

}  // namespace takt::idl::cpp
