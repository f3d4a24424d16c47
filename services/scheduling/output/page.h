// An analysis as an HTML page.
#pragma once

#include <string>
#include <string_view>

#include "scheduling/analysis/analysis.h"
#include "scheduling/output/measured.h"

namespace takt::scheduling {

// One HTML file that loads nothing else. It has the report and charts: a simulation from a synchronous
// release (of a hyperperiod or its first part), the utilisation of processors, responses, the dependency
// graph, and a measured run if given. All names are escaped. Charts are left out beyond 200 threads.
std::string page(const Repository& repository, const Analysis& analysis, std::string_view title,
                 std::span<const Measured> measured = {});

}  // namespace takt::scheduling
