#include "tracing/trace_flow.h"

#include <utility>

#include "client/channel/client_channel.h"
#include "invocation/flow_pool.h"

namespace takt::tracing {

using Flows = invocation::FlowPool<TraceFlow>;
using reference::ThreadContext;

TraceFlow& TraceFlow::take(Tracer& tracer, Decision decision, CallInterception* inner, const CallType& call) {
  TraceFlow& flow = Flows::take();
  try {
    flow.begin(tracer, decision, inner, call);
  } catch (...) {  // for lack of memory
    Flows::give_back(flow);
    if (inner) inner->end();
    throw;
  }
  return flow;
}

void TraceFlow::begin(Tracer& tracer, Decision decision, CallInterception* inner, const CallType& call) {
  inner_ = inner;
  ref_ = &call.ref;
  operation_ = call.operation;
  decision_ = decision;
  response_expected_ = call.response_expected;
  local_ = call.local;
  data_.clear();
  const Position* const position = position_of(ThreadContext::mine().trace());
  if (has_span()) {
    span_.begin(tracer, SpanKind::client, call.operation, position, decision == Decision::recorded);
    const Position& begun = span_.position();
    write_trace(begun.ids, begun.state, data_);
  } else if (decision == Decision::passed) {
    write_trace(position->ids, position->state, data_);
  }
}

bool TraceFlow::handed_over() { return Flows::handed_over != nullptr; }

TraceFlow* TraceFlow::take_handed_over(reference::ObjectRef& ref, std::string_view operation,
                                       CallInterception* inner) {
  TraceFlow* const handed = std::exchange(Flows::handed_over, nullptr);
  if (!handed) return nullptr;
  const bool fits = handed->ref_ == &ref && handed->operation_ == operation;
  handed->inner_ =
      fits ? inner : nullptr;  // that which was handed over with it, which has ended if it does not fit
  if (fits) {
    handed->local_ = false;
    return handed;
  }
  handed->abandoned();
  handed->end();
  return nullptr;
}

void TraceFlow::enter(const reference::CarriedTrace* trace) {
  if (std::exchange(entered_, true)) return;
  before_ = ThreadContext::mine().trace();
  ThreadContext::mine().use_trace(trace);
}

void TraceFlow::leave() {
  if (std::exchange(entered_, false)) ThreadContext::mine().use_trace(before_);
}

void TraceFlow::fail(const CORBA::SystemException& exception) {
  const bool late = dynamic_cast<const CORBA::TIMEOUT*>(&exception) != nullptr;
  fail(exception._rep_id(), late ? failure::exception | failure::deadline : failure::exception);
}

void TraceFlow::sent_over(client::ClientChannel& channel) {
  if (has_span()) span_.set_peer(channel.peer());
}

template <class Run>
auto TraceFlow::run_inner(Run run) {
  try {
    return run(*inner_);
  } catch (const CORBA::SystemException& failure) {
    fail(failure);
    throw;
  }
}

// The interceptors' points run at the call's position.
bool TraceFlow::start() {
  if (has_span())
    enter(&span_.position());
  else if (local_ && decision_ == Decision::left_out)
    enter(&untraced);
  if (!inner_) return false;
  try {
    const bool forwarded = inner_->start();
    if (forwarded) leave();
    return forwarded;
  } catch (const CORBA::SystemException& failure) {
    leave();
    fail(failure);
    throw;
  }
}

std::span<const giop::ServiceContext> TraceFlow::with_added(std::span<const giop::ServiceContext> contexts) {
  if (inner_) contexts = inner_->with_added(contexts);
  if (data_.empty()) return contexts;
  joined_.assign(contexts.begin(), contexts.end());
  std::erase_if(joined_, [](const giop::ServiceContext& one) { return one.id == trace_context; });
  joined_.push_back({trace_context, data_});
  return joined_;
}

void TraceFlow::replied(const giop::ServiceContexts* contexts) {
  leave();
  if (inner_) run_inner([&](CallInterception& inner) { inner.replied(contexts); });
}

// An interceptor may forward the call instead.
void TraceFlow::raised(const CORBA::SystemException& exception) {
  leave();
  if (inner_) return run_inner([&](CallInterception& inner) { inner.raised(exception); });
  fail(exception);
  exception._raise();
}

void TraceFlow::unreadable(const CORBA::SystemException& exception) {
  leave();
  if (inner_) return run_inner([&](CallInterception& inner) { inner.unreadable(exception); });
  fail(exception);
  exception._raise();
}

bool TraceFlow::raised_user(std::string_view id, const CORBA::Any* exception) {
  leave();
  const bool forwarded =
      inner_ && run_inner([&](CallInterception& inner) { return inner.raised_user(id, exception); });
  if (!forwarded) fail(id, 0);
  return forwarded;
}

bool TraceFlow::ended_by(Other reason) {
  leave();
  return inner_ && run_inner([&](CallInterception& inner) { return inner.ended_by(reason); });
}

void TraceFlow::abandoned() noexcept {
  leave();
  fail("the program has given the call up by an exception", failure::exception);
  if (inner_) inner_->abandoned();
}

void TraceFlow::hand_over() {
  leave();
  Flows::handed_over = this;
  if (inner_) inner_->hand_over();
}

void TraceFlow::outlive_thread() {
  leave();
  own_ = true;
  if (inner_) inner_->outlive_thread();
}

void TraceFlow::end() noexcept {
  leave();
  if (has_span()) span_.end();
  if (CallInterception* const inner = std::exchange(inner_, nullptr)) inner->end();
  if (own_)
    delete this;
  else
    Flows::give_back(*this);
}

}  // namespace takt::tracing
