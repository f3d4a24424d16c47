// The pictures of a schedule, each as SVG.
#pragma once

#include <string>

#include "scheduling/analysis/analysis.h"
#include "scheduling/output/played.h"

namespace takt::scheduling {

// Who runs when, a row for each thread, with its releases, its deadlines and the first that it misses.
std::string gantt_chart(const Repository& repository, const Analysis& analysis, const Played& played);

// What part of its processor each priority level uses.
std::string utilisation_chart(const Analysis& analysis);

// The bound of each thread's response beside what the simulation saw, as parts of its deadline.
std::string response_chart(const Repository& repository, const Analysis& analysis,
                           const Simulation& simulation);

// Who calls whom, how often; callers above.
std::string dependency_chart(const Repository& repository);

}  // namespace takt::scheduling
