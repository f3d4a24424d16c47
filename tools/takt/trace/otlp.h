// Spans in the form of OpenTelemetry's protocol (OTLP 1.x): the JSON encoding of ExportTraceServiceRequest.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/output.h"
#include "trace/traces.h"

namespace takt::command {

// The spans, which are of these processes, as one request. A resource for each process.
Json as_otlp(const std::vector<const TracedSpan*>& spans, const std::vector<TracedProcess>& processes);

// The spans that a collector has not taken, according to its reply of status 200; empty if it took all.
std::string rejected_by(const std::string& reply);

}  // namespace takt::command
