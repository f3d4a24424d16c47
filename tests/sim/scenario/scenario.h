// One run: a server, its clients, and what happens to them.
#pragma once

#include <cstdint>

#include "scenario/plan.h"

namespace takt::sim {

struct Outcome {
  std::uint64_t digest = 0;
  std::uint64_t steps = 0;
  Time lasted{0};
};

// Ends the process if it finds something; `blocks` is how many blocks of memory may be in use afterwards, 0:
// any number.
Outcome run_scenario(const Plan& plan, std::uint64_t seed, std::size_t blocks);

}  // namespace takt::sim
