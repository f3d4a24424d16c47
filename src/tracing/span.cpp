#include <takt/tracing/tracing.h>

#include "tracing/open_span.h"
#include "tracing/program_span.h"

namespace takt::tracing {

using reference::CarriedTrace;
using reference::ThreadContext;

std::unique_ptr<OpenSpan> begin_span(Tracer& tracer, std::string_view name, bool chosen) {
  auto span = std::make_unique<OpenSpan>();
  span->begin(tracer, SpanKind::internal, name, position_of(ThreadContext::mine().trace()), chosen);
  ThreadContext::mine().use_trace(&span->position());
  return span;
}

Span::Span(std::string_view name) : before_(ThreadContext::mine().trace()) {
  const Position* const position = position_of(ThreadContext::mine().trace());
  if (!position || !position->tracer) return;
  if (position->ids.sampled || position->tracer->watches())
    span_ = begin_span(*position->tracer, name, position->ids.sampled);
}

Span::~Span() {
  ThreadContext::mine().use_trace(static_cast<const CarriedTrace*>(before_));
  if (span_) span_->end();
}

void Span::fail(std::string_view reason) {
  if (span_) span_->fail(reason);
}

}  // namespace takt::tracing
