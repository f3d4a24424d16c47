#include "tracing/trace_stage.h"

#include <new>
#include <optional>

#include <takt/cdr/operation.h>

#include "giop/contexts/service_context.h"
#include "reference/context/trace_scope.h"
#include "tracing/open_span.h"

namespace takt::tracing {

using reference::CarriedTrace;
using reference::ThreadContext;
using reference::TraceScope;

namespace {

// A request that has contexts, comes from this process, or begins a trace.
class ServedRequest {
 public:
  // `begins`: the tracer has chosen the trace that the request begins.
  ServedRequest(Tracer& tracer, server::ServerCall& call, bool begins);
  ~ServedRequest();
  ServedRequest(const ServedRequest&) = delete;
  ServedRequest& operator=(const ServedRequest&) = delete;

 private:
  const CarriedTrace* caller(Tracer& tracer);
  const CarriedTrace* begin(Tracer& tracer, const CarriedTrace* caller, bool begins);
  std::optional<Position> received(Tracer& tracer) const;

  server::ServerCall& call_;
  std::optional<Position> received_;
  std::optional<OpenSpan> span_;
  std::optional<TraceScope> at_;
};

// Without memory for a long tracestate, the request is not traced.
[[gnu::noinline]] ServedRequest::ServedRequest(Tracer& tracer, server::ServerCall& call, bool begins)
    : call_(call) {
  const CarriedTrace* here = &untraced;
  try {
    here = begin(tracer, caller(tracer), begins);
  } catch (const std::bad_alloc&) {
    span_.reset();
  }
  at_.emplace(here);
}

// Requests of this process have no contexts, and their thread has the caller's position.
const CarriedTrace* ServedRequest::caller(Tracer& tracer) {
  if (!call_.contexts()) return ThreadContext::mine().trace();
  received_ = received(tracer);
  return received_ ? &*received_ : nullptr;
}

const CarriedTrace* ServedRequest::begin(Tracer& tracer, const CarriedTrace* caller, bool begins) {
  if (caller == &untraced) return caller;
  const Position* const parent = position_of(caller);
  if (parent && !parent->ids.sampled) return parent;
  if (!parent && !begins && !tracer.chooses()) return &untraced;
  call_.note_operation(nullptr);
  span_.emplace();
  span_->begin(tracer, SpanKind::server, call_.operation(), parent);
  return &span_->position();
}

std::optional<Position> ServedRequest::received(Tracer& tracer) const {
  const auto data = call_.contexts()->find(trace_context);
  if (!data) return std::nullopt;
  const auto trace = read_trace(*data);
  if (!trace) {
    tracer.note_malformed();
    return std::nullopt;
  }
  std::optional<Position> position(std::in_place);
  position->ids = trace->ids;
  position->state = trace->state;
  position->tracer = &tracer;
  return position;
}

ServedRequest::~ServedRequest() {
  at_.reset();
  if (!span_) return;
  const std::uintptr_t outcome = call_.noted_operation();
  if ((outcome & server::ServerCall::raised_system) != 0)
    span_->fail("system exception");
  else if ((outcome & server::ServerCall::raised_user) != 0)
    span_->fail("user exception");
  span_->end();
}

}  // namespace

template <class Dispatch>
[[gnu::always_inline]] inline void TraceStage::serve(server::ServerCall& call, Dispatch dispatch) {
  const giop::ServiceContexts* const contexts = call.contexts();
  const bool may_begin = contexts && contexts->empty();
  if (may_begin && !tracer_.chooses()) [[likely]] {
    const TraceScope not_chosen(&untraced);
    return dispatch();
  }
  const ServedRequest request(tracer_, call, may_begin);
  dispatch();
}

void TraceStage::dispatch(server::ServerCall& call) noexcept {
  serve(call, [&] { next().dispatch(call); });
}

void TraceStage::dispatch_by_handle(server::ServerCall& call, giop::lite::OperationHandle& handle) noexcept {
  serve(call, [&] { next().dispatch_by_handle(call, handle); });
}

void TraceStage::dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept {
  serve(call, [&] { next().dispatch_early(call, early); });
}

reference::LocalAnswer TraceStage::call_local(const OperationId& operation, void* arguments,
                                              const ByteView& object_key) {
  if (tracer_.decide() != Decision::recorded) return next().call_local(operation, arguments, object_key);
  OpenSpan span;
  span.begin(tracer_, SpanKind::server, operation.name, position_of(ThreadContext::mine().trace()));
  const TraceScope here(&span.position());
  try {
    const auto answer = next().call_local(operation, arguments, object_key);
    // Any other answer means that the request is made again in another way, and has a span there.
    if (answer == reference::LocalAnswer::done) span.end();
    return answer;
  } catch (const CORBA::Exception& exception) {
    span.fail(exception._rep_id());
    span.end();
    throw;
  } catch (...) {
    span.fail("unknown exception");
    span.end();
    throw;
  }
}

}  // namespace takt::tracing
