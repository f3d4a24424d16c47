// One run: a server, its clients, and the events of the plan.
#pragma once

#include <cstdint>

#include "scenario/plan.h"

namespace takt::sim {

struct Outcome {
  std::uint64_t digest = 0;
  std::uint64_t steps = 0;
  Time lasted{0};
};

// Ends the process on a finding. `blocks`: allowed number of memory blocks in use afterwards; 0: any.
Outcome run_scenario(const Plan& plan, std::uint64_t seed, std::size_t blocks);

}  // namespace takt::sim
