// Charts of a schedule, each as SVG.
#pragma once

#include <string>

#include "schedulability/analysis/analysis.h"
#include "scheduling/output/played.h"

namespace takt::scheduling {

// When each thread runs: a row per thread with its releases, its deadlines and its first missed deadline.
std::string gantt_chart(const Repository& repository, const Analysis& analysis, const Played& played);

// The utilisation of each processor by each priority level.
std::string utilisation_chart(const Analysis& analysis);

// The bound and the simulated response of each thread, as fractions of its deadline.
std::string response_chart(const Repository& repository, const Analysis& analysis,
                           const Simulation& simulation);

// The calls between operations with their counts; callers above.
std::string dependency_chart(const Repository& repository);
// The same calls as text, a line for each caller: in the chart, calls that lead around boxes share their way.
std::string calls_in_words(const Repository& repository);

}  // namespace takt::scheduling
