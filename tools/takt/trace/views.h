// A trace as text, as JSON, and for Perfetto.
#pragma once

#include <string>

#include "common/output.h"
#include "trace/traces.h"

namespace takt::command {

// A line for each trace, the newest last.
std::string list_in_words(const Traces& traces);
Json list_as_json(const Traces& traces);

// The tree of spans. What peers have named is made printable.
std::string tree_in_words(const Trace& trace, const Traces& traces);
Json tree_as_json(const Trace& trace, const Traces& traces);

// The format of Chrome's traces, which Perfetto opens: a slice for each span, by process and thread, and an
// arrow from each client's span to the server's.
Json as_chrome_trace(const Trace& trace, const Traces& traces);

}  // namespace takt::command
