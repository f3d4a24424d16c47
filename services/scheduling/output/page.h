// An analysis as an HTML page.
#pragma once

#include <string>
#include <string_view>

#include "schedulability/analysis/analysis.h"
#include "scheduling/output/measured.h"

namespace takt::scheduling {

// The origin of a page, which is shown at its end; empty texts are left out.
struct Provenance {
  std::string version;  // Takt's version
  std::string date;
  std::string inputs;   // input files
  std::string command;  // reproduces the page
};

// One HTML file that loads nothing else. It has the report and charts: the schedule as simulated by play(),
// the utilisation of processors, responses, the dependency graph, and a measured run if given. It fits
// phones, where charts scroll, and paper. All names are escaped. Charts are left out beyond 200 threads.
std::string page(const Repository& repository, const Analysis& analysis, std::string_view title,
                 std::span<const Measured> measured = {}, const Provenance& provenance = {});

}  // namespace takt::scheduling
