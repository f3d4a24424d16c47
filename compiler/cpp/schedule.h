// foo_schedule.h: what operations declare, for the program that registers them.
#pragma once

#include <string>

#include "cpp/context.h"

namespace takt::idl::cpp {

std::string schedule_header(Context& context);

}  // namespace takt::idl::cpp
