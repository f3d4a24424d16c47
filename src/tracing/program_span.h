// Spans that programs open.
#pragma once

#include <memory>
#include <string_view>

#include "tracing/open_span.h"

namespace takt::tracing {

// A child of the thread's position, or a trace if there is none, and the thread's position from now on.
// `chosen`: as in OpenSpan::begin(). Allocates.
std::unique_ptr<OpenSpan> begin_span(Tracer& tracer, std::string_view name, bool chosen);

}  // namespace takt::tracing
