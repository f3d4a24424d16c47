// A trace as an HTML page.
#pragma once

#include <string>

#include "trace/traces.h"

namespace takt::command {

// One HTML file that loads nothing else: a row for each span, in the order of the tree, with its time as a
// bar. It fits phones, where the drawing scrolls, and paper. All names are escaped. Rows are left out beyond
// 2,000 spans.
std::string html_of(const Trace& trace, const Traces& traces);

}  // namespace takt::command
