#include "invocation/intercepted_calls.h"

#include <optional>
#include <utility>

#include <takt/cdr/operation.h>
#include <takt/reference/watched_call.h>

#include "client/channel/client_channel.h"
#include "client/channel/failure.h"
#include "client/request_limit.h"
#include "giop/message/event.h"
#include "reference/local_calls.h"
#include "reference/references.h"

namespace takt::invocation {

CORBA::Any any_of(const CORBA::UserException& exception) {
  return exception._form() ? cdr::exception_to_any(exception) : CORBA::Any();
}

cdr::Encoder& InterceptedCalls::begin(ClientCall& call) { return begin_any(call, start); }
cdr::Encoder& InterceptedCalls::begin_aside(ClientCall& call) { return begin_any(call, start_aside); }

bool InterceptedCalls::start_aside(CallInterception& flow) {
  const client::ThreadChannels::UsingStrategy usual(client::ThreadChannels::mine(), nullptr);
  return flow.start();
}

cdr::Encoder& InterceptedCalls::begin_any(ClientCall& call, bool (*start)(CallInterception&)) {
  if (!call.intercepted_) {
    call.interception_ = &take(*call.ref_, call.operation_, call.response_expected_, false);
    call.intercepted_ = true;  // not if there is no memory for the flow
  }
  return begin_further(call, start);
}

// Begins attempts until one is not forwarded.
cdr::Encoder& InterceptedCalls::begin_further(ClientCall& call, bool (*start)(CallInterception&)) {
  CallInterception& flow = *call.interception_;
  try {
    for (;; call.count_redirection()) {
      if (start(flow)) continue;
      try {
        return begin_request(call, flow);
      } catch (const CORBA::SystemException& failure) {
        fail_to_begin(call, flow, failure);
      } catch (const std::bad_alloc&) {
        fail_to_begin(call, flow, without_memory(CORBA::COMPLETED_NO));
      }
    }
  } catch (...) {
    end_at_beginning(call, flow);
    throw;
  }
}

CORBA::NO_MEMORY InterceptedCalls::without_memory(CORBA::CompletionStatus completed) {
  return CORBA::NO_MEMORY(0, completed, "the process has no memory left for the request");
}

void InterceptedCalls::fail_to_begin(ClientCall& call, CallInterception& flow,
                                     const CORBA::SystemException& failure) {
  if (call.channel_) call.release();
  const client::ThreadChannels::UsingStrategy usual(client::ThreadChannels::mine(), nullptr);
  flow.raised(failure);
}

void InterceptedCalls::end_at_beginning(ClientCall& call, CallInterception& flow) noexcept {
  flow.end();
  call.intercepted_ = false;
}

namespace {

bool is_forward(giop::ReplyStatus status) {
  return status == giop::ReplyStatus::location_forward || status == giop::ReplyStatus::location_forward_perm;
}

}  // namespace

std::optional<ClientCall::Outcome> InterceptedCalls::outcome_of_attempt(ClientCall& call,
                                                                        CallInterception& flow,
                                                                        ClientCall::Ended how) {
  const bool fails_unsent =
      !call.request_->ok() || client::is_too_long(call.channel_->out(), *call.ref_->references());
  try {
    if (how == ClientCall::Ended::replied) flow.keep_contexts(call.channel_->reply().contexts);
    return fails_unsent ? call.not_encoded() : call.outcome_without_results(how);
  } catch (const CORBA::SystemException& failure) {
    flow.raised(failure);
  } catch (const std::bad_alloc&) {
    flow.raised(without_memory(fails_unsent ? CORBA::COMPLETED_NO : CORBA::COMPLETED_MAYBE));
  }
  return std::nullopt;
}

ClientCall::Outcome InterceptedCalls::outcome(ClientCall& call, ClientCall::Ended how) {
  using Other = CallInterception::Other;
  using Outcome = ClientCall::Outcome;
  CallInterception& flow = *call.interception_;
  InterceptionEnd end(flow);
  call.intercepted_ = false;
  const bool moved = how == ClientCall::Ended::replied && is_forward(call.channel_->reply().reply_status);
  const std::optional<Outcome> outcome = outcome_of_attempt(call, flow, how);
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

void InterceptedCalls::finish(ClientCall& call) { finish_by<CallInterception>(call); }

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
    const reference::WatchedCall watched;
    return ref.references()->local_calls->call_local(operation, arguments, ref.local_key()) ==
           reference::LocalAnswer::done;
  });
}

}  // namespace takt::invocation
