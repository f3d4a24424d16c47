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

cdr::Encoder* InterceptedCalls::begin(ClientCall& call) {
  return begin_by<CallInterception>(
      call, [&](reference::ObjectRef& ref, std::string_view operation, bool response_expected) -> auto& {
        return take(ref, operation, response_expected, false);
      });
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
  const bool fails_unsent =
      !call.request_->ok() || client::is_too_long(call.channel_->out(), *call.ref_->references());
  std::optional<Outcome> outcome;
  try {
    outcome = fails_unsent ? call.not_encoded() : call.outcome_without_results(replied, sent);
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
