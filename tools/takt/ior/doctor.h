// Finds out whether and where the object of a reference answers.
#pragma once

#include <chrono>

#include "ior/json.h"
#include "ior/reference.h"

namespace takt::command {

// Each endpoint of each profile by itself: resolve, connect, ask whether the object is there, and whether it
// has the type that the reference says, with the time that each step took and why one failed. "answers": at
// one endpoint at least. Blocks, each step up to `timeout` and what the ORB adds to that.
Json examined(const Reference& reference, std::chrono::milliseconds timeout);

}  // namespace takt::command
