#include "tracing/traced_calls.h"

#include <optional>
#include <utility>

#include <takt/cdr/operation.h>

#include "reference/context/trace_scope.h"
#include "reference/references.h"
#include "tracing/trace_flow.h"

namespace takt::tracing {

namespace {

// The decision of begin() and call_local(), for the take() that they cause.
thread_local constinit std::optional<Decision> decided;

}  // namespace

[[gnu::always_inline]] inline bool TracedCalls::chooses() {
  if (TraceFlow::handed_over()) return true;
  const Decision decision = tracer_.decide();
  if (decision == Decision::left_out) [[likely]]
    return false;
  decided = decision;
  return true;
}

// Most calls of a traced ORB leave here, without a span.
cdr::Encoder& TracedCalls::begin(invocation::ClientCall& call) {
  if (has_begun(call) || chooses()) [[unlikely]]
    return InterceptedCalls::begin(call);
  return interceptors_ ? interceptors_->begin(call) : begin_without_points(call);
}

cdr::Encoder& TracedCalls::begin_aside(invocation::ClientCall& call) {
  if (has_begun(call) || chooses()) return InterceptedCalls::begin_aside(call);
  return interceptors_ ? interceptors_->begin_aside(call) : begin_without_points(call);
}

bool TracedCalls::call_local(reference::ObjectRef& ref, const OperationId& operation, void* arguments) {
  const Decision decision = tracer_.decide();
  if (decision != Decision::left_out) {
    decided = decision;
    return InterceptedCalls::call_local(ref, operation, arguments);
  }
  const reference::TraceScope not_chosen(&untraced);  // the request begins no trace either
  if (interceptors_) return interceptors_->call_local(ref, operation, arguments);
  return invocation::call_local_served(ref, operation, arguments);
}

invocation::CallInterception& TracedCalls::take(reference::ObjectRef& ref, std::string_view operation,
                                                bool response_expected, bool local) {
  const auto known = std::exchange(decided, std::nullopt);
  invocation::CallInterception* const inner =
      interceptors_ ? &interceptors_->take(ref, operation, response_expected, local) : nullptr;
  if (TraceFlow* const flow = TraceFlow::take_handed_over(ref, operation, inner)) return *flow;
  return TraceFlow::take(tracer_, known ? *known : tracer_.decide(), inner,
                         {ref, operation, response_expected, local});
}

}  // namespace takt::tracing
