// Finds out at which endpoints the object of a reference answers.
#pragma once

#include <chrono>

#include "ior/json.h"
#include "ior/reference.h"

namespace takt::command {

// Examines each endpoint of each profile by itself: resolves, connects, asks whether the object exists, and
// whether it has the reference's type. Each step has its duration and, if it failed, the reason. "answers":
// at least one endpoint answers. Blocks; each step takes up to `timeout` plus what the ORB adds.
Json examined(const Reference& reference, std::chrono::milliseconds timeout);

}  // namespace takt::command
