// An analysis as a page for a browser.
#pragma once

#include <string>
#include <string_view>

#include "scheduling/analysis/analysis.h"
#include "scheduling/output/measured.h"

namespace takt::scheduling {

// One file of HTML that loads nothing: the report, and pictures of the schedule played through from a release
// of all together (of a hyperperiod, or the first part of it), of the use of processors, of responses and of
// the graph; of a run, too, if there was one. Every name in it is escaped. Pictures are left out beyond 200
// threads.
std::string page(const Repository& repository, const Analysis& analysis, std::string_view title,
                 std::span<const Measured> measured = {});

}  // namespace takt::scheduling
