#include <takt/tracing/tracing.h>

#include <utility>

#include "tracing/position.h"
#include "tracing/tracer.h"

namespace takt::tracing {

using reference::CarriedTrace;
using reference::ThreadContext;

constinit const Untraced untraced;

std::shared_ptr<const CarriedTrace> Untraced::keep() const {
  return {std::shared_ptr<const void>(), &untraced};
}

std::shared_ptr<const Position> Position::kept() const {
  auto copy = std::make_shared<Position>(*this);
  if (tracer && !owner) copy->owner = tracer->shared_from_this();
  return copy;
}

ByteView trace_of_thread() noexcept {
  const Position* const position = position_of(ThreadContext::mine().trace());
  return position ? ByteView(position->ids.trace) : ByteView();
}

std::optional<Context> Context::parse(std::string_view traceparent, std::string_view tracestate) {
  const auto ids = read_traceparent(traceparent);
  if (!ids) return std::nullopt;
  auto position = std::make_shared<Position>();
  position->ids = *ids;
  if (is_tracestate(tracestate)) position->state = tracestate;
  return Context(std::move(position));
}

const TraceId& Context::trace_id() const { return position_->ids.trace; }
const SpanId& Context::span_id() const { return position_->ids.span; }
bool Context::sampled() const { return position_->ids.sampled; }
std::string_view Context::tracestate() const { return position_->state; }

std::string Context::traceparent() const {
  char text[traceparent_bytes];
  write_traceparent(position_->ids, text);
  return {text, sizeof text};
}

std::optional<Context> current() {
  const Position* const position = position_of(ThreadContext::mine().trace());
  if (!position) return std::nullopt;
  return Context(position->kept());
}

SpanScope::SpanScope(const Context& context)
    : position_(context.position()), before_(ThreadContext::mine().trace()) {
  ThreadContext::mine().use_trace(position_.get());
}

SpanScope::~SpanScope() { ThreadContext::mine().use_trace(static_cast<const CarriedTrace*>(before_)); }

}  // namespace takt::tracing
