#include "invocation/intercepted_calls.h"

#include <optional>
#include <utility>

#include <takt/cdr/operation.h>

#include "client/channel/client_channel.h"
#include "client/channel/failure.h"
#include "giop/message/event.h"
#include "reference/local_calls.h"
#include "reference/references.h"

namespace takt::invocation {

CORBA::Any any_of(const CORBA::UserException& exception) {
  return exception._form() ? cdr::exception_to_any(exception) : CORBA::Any();
}

// Runs the starting points before a connection is chosen, so that calls which they make may use it.
cdr::Encoder* InterceptedCalls::begin(ClientCall& call) {
  if (!call.intercepted_) {
    call.interception_ = &take(*call.ref_, call.operation_, call.response_expected_, false);
    call.intercepted_ = true;  // not if there is no memory for the flow
  }
  InterceptionEnd end(*call.interception_);
  try {
    for (;; call.count_redirection()) {
      if (call.interception_->start()) continue;
      try {
        cdr::Encoder& encoder = call.begin_uninterrupted(call.interception_->adds_contexts());
        call.channel_->need_cleanup();
        end.goes_on();
        return &encoder;
      } catch (const CORBA::SystemException& failure) {
        if (call.channel_) call.release();
        call.interception_->raised(failure);
      }
    }
  } catch (...) {
    call.intercepted_ = false;
    throw;
  }
}

ClientCall::Outcome InterceptedCalls::outcome(ClientCall& call, bool replied, bool sent) {
  using Other = CallInterception::Other;
  using Outcome = ClientCall::Outcome;
  CallInterception& flow = *call.interception_;
  InterceptionEnd end(flow);
  bool moved = false;
  if (replied) {
    const giop::Event& event = call.channel_->reply();
    moved = event.reply_status == giop::ReplyStatus::location_forward ||
            event.reply_status == giop::ReplyStatus::location_forward_perm;
    flow.keep_contexts(event.contexts);
  }
  call.intercepted_ = false;
  std::optional<Outcome> outcome;
  try {
    outcome = !call.request_->ok() ? call.not_encoded() : call.outcome_without_results(replied, sent);
  } catch (const CORBA::SystemException& failure) {
    flow.raised(failure);
  }
  bool forwarded = !outcome;
  if (outcome == Outcome::user_exception)
    forwarded = flow.raised_user(call.exception_id_, nullptr);
  else if (outcome)
    forwarded = flow.ended_by(outcome == Outcome::result ? Other::sent
                              : moved                    ? Other::moved
                                                         : Other::retried);
  if (!forwarded && outcome != Outcome::again) return *outcome;
  if (call.channel_) call.release();
  if (forwarded) call.count_redirection();
  end.goes_on();
  call.intercepted_ = true;
  return Outcome::again;
}

// The stub of a oneway does not wait for results.
void InterceptedCalls::note_reply(ClientCall& call) {
  const giop::Event& reply = call.channel_->reply();
  if (call.interception_->response_expected() || reply.reply_status != giop::ReplyStatus::no_exception)
    return;
  const InterceptionEnd end(*call.interception_);
  call.intercepted_ = false;
  call.interception_->replied(&reply.contexts);
}

void InterceptedCalls::finish(ClientCall& call) {
  const InterceptionEnd end(*call.interception_);
  call.intercepted_ = false;
  if (call.reply_->ok()) {
    call.interception_->replied(&call.channel_->reply().contexts);
    return call.finish();
  }
  try {
    call.finish();
  } catch (const CORBA::SystemException& failure) {
    call.interception_->raised(failure);
    throw;
  }
}

void InterceptedCalls::fail(ClientCall& call, const CORBA::SystemException& failure) {
  const InterceptionEnd end(*call.interception_);
  call.intercepted_ = false;
  call.interception_->raised(failure);
}

void InterceptedCalls::abandon(ClientCall& call) noexcept {
  const InterceptionEnd end(*call.interception_);
  call.intercepted_ = false;
  call.interception_->abandoned();
}

bool InterceptedCalls::call_local(reference::ObjectRef& ref, const OperationId& operation, void* arguments) {
  return run_intercepted(*this, ref, operation.name, !operation.one_way, [&] {
    return ref.references()->local_calls->call_local(operation, arguments, ref.local_key()) ==
           reference::LocalAnswer::done;
  });
}

}  // namespace takt::invocation
