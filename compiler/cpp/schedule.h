// foo_schedule.h: the scheduling declarations of operations, for the program that registers them.
#pragma once

#include <string>

#include "cpp/context.h"

namespace takt::idl::cpp {

std::string schedule_header(Context& context);

}  // namespace takt::idl::cpp
