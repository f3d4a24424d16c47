#include "tracing/trace_stage.h"

#include <new>
#include <optional>

#include <takt/cdr/operation.h>

#include "giop/contexts/service_context.h"
#include "reference/context/trace_scope.h"
#include "server/intake/answer_path.h"
#include "server/intake/request_quality.h"
#include "tracing/open_span.h"

namespace takt::tracing {

using reference::CarriedTrace;
using reference::ThreadContext;
using reference::TraceScope;

namespace {

// A request that has contexts, comes from this process, or begins a trace.
class ServedRequest {
 public:
  // Whether the tracer has chosen the trace that the request begins, if it begins one.
  enum class Choice : std::uint8_t { chosen, not_chosen, undecided };
  ServedRequest(Tracer& tracer, server::ServerCall& call, Choice choice);
  ~ServedRequest();
  ServedRequest(const ServedRequest&) = delete;
  ServedRequest& operator=(const ServedRequest&) = delete;

 private:
  const CarriedTrace* caller(Tracer& tracer);
  const CarriedTrace* begin(Tracer& tracer, const CarriedTrace* caller, Choice choice);
  std::optional<Position> received(Tracer& tracer) const;

  server::ServerCall& call_;
  std::optional<Position> received_;
  std::optional<OpenSpan> span_;
  std::optional<TraceScope> at_;
};

// Without memory for a long tracestate, the request is not traced.
[[gnu::noinline]] ServedRequest::ServedRequest(Tracer& tracer, server::ServerCall& call, Choice choice)
    : call_(call) {
  const CarriedTrace* here = &untraced;
  try {
    here = begin(tracer, caller(tracer), choice);
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

const CarriedTrace* ServedRequest::begin(Tracer& tracer, const CarriedTrace* caller, Choice choice) {
  if (caller == &untraced) return caller;
  const Position* const parent = position_of(caller);
  const bool chosen = parent ? parent->ids.sampled
                             : choice == Choice::chosen || (choice == Choice::undecided && tracer.chooses());
  if (!chosen && !tracer.watches()) return parent ? caller : &untraced;
  span_.emplace();
  span_->begin(tracer, SpanKind::server, call_.operation(), parent, chosen);
  if (const server::AnswerPath* const path = call_.answer_path()) span_->set_peer(path->peer_address());
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
  if (call_.raised_system_exception())
    span_->fail("system exception");
  else if (call_.raised_user_exception())
    span_->fail("user exception", 0);
  if (server::is_too_late()) span_->fail("the deadline has passed", failure::deadline);
  span_->end();
}

}  // namespace

template <class Dispatch>
[[gnu::always_inline]] inline void TraceStage::serve(server::ServerCall& call, Dispatch dispatch) {
  const giop::ServiceContexts* const contexts = call.contexts();
  auto choice = ServedRequest::Choice::undecided;
  if (contexts && contexts->empty()) {
    choice = tracer_.chooses() ? ServedRequest::Choice::chosen : ServedRequest::Choice::not_chosen;
    if (choice == ServedRequest::Choice::not_chosen && !tracer_.watches()) [[likely]] {
      const TraceScope not_chosen(&untraced);
      return dispatch();
    }
  }
  const ServedRequest request(tracer_, call, choice);
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
  const Decision decision = tracer_.decide();
  if (decision < Decision::watched) return next().call_local(operation, arguments, object_key);
  OpenSpan span;
  span.begin(tracer_, SpanKind::server, operation.name, position_of(ThreadContext::mine().trace()),
             decision == Decision::recorded);
  const TraceScope here(&span.position());
  try {
    const auto answer = next().call_local(operation, arguments, object_key);
    // Any other answer means that the request is made again in another way, and has a span there.
    if (answer == reference::LocalAnswer::done) span.end();
    return answer;
  } catch (const CORBA::Exception& exception) {
    const bool is_user = dynamic_cast<const CORBA::UserException*>(&exception) != nullptr;
    span.fail(exception._rep_id(), is_user ? 0 : failure::exception);
    span.end();
    throw;
  } catch (const reference::LocalForward&) {
    throw;  // the request has a span where it goes
  } catch (...) {
    span.fail("unknown exception");
    span.end();
    throw;
  }
}

}  // namespace takt::tracing
