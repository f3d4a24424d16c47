// The client's side of tracing: a span for each call of a trace that is recorded.
#pragma once

#include <string_view>

#include "invocation/intercepted_calls.h"
#include "tracing/tracer.h"

namespace takt::tracing {

// In place of the ORB's interceptors, to which it passes calls on. Any thread.
class TracedCalls final : public invocation::InterceptedCalls {
 public:
  // `interceptors`: those of the ORB; may be null. Both must outlive the last call.
  TracedCalls(Tracer& tracer, invocation::InterceptedCalls* interceptors)
      : tracer_(tracer), interceptors_(interceptors) {}

  cdr::Encoder& begin(invocation::ClientCall& call) override;
  cdr::Encoder& begin_aside(invocation::ClientCall& call) override;
  bool call_local(reference::ObjectRef& ref, const OperationId& operation, void* arguments) override;
  invocation::CallInterception& take(reference::ObjectRef& ref, std::string_view operation,
                                     bool response_expected, bool local) override;

 private:
  // Whether a new call has a span.
  bool chooses();
  Tracer& tracer_;
  invocation::InterceptedCalls* const interceptors_;
};

}  // namespace takt::tracing
