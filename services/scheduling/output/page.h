// An analysis as a page for a browser.
#pragma once

#include <string>
#include <string_view>

#include "scheduling/analysis/analysis.h"
#include "scheduling/output/measured.h"

namespace takt::scheduling {

// Where a page comes from, as it says at its end; empty texts are left out.
struct Provenance {
  std::string version;  // of Takt
  std::string date;
  std::string inputs;   // the files
  std::string command;  // that makes it again
};

// One file of HTML that loads nothing: the report, and pictures of the schedule as play() plays it, of the
// use of processors, of responses and of the graph, and of a run if there was one. It fits a phone, which
// scrolls the pictures, and paper. Every name in it is escaped. Pictures are left out beyond 200 threads.
std::string page(const Repository& repository, const Analysis& analysis, std::string_view title,
                 std::span<const Measured> measured = {}, const Provenance& provenance = {});

}  // namespace takt::scheduling
