// Asynchronous calls of ORBs with interceptors. The starting points run in the thread that begins an attempt,
// the ending points in the one that has its outcome.
#include <takt/async/sending.h>

#include <new>
#include <string>
#include <utility>

#include <takt/async/reply.h>

#include "async/calls/async_calls.h"
#include "async/calls/call.h"
#include "async/deferred/deferred_calls.h"
#include "client/channel/failure.h"
#include "invocation/intercepted_calls.h"

namespace takt::async {

using Status = client::Exchange::Status;

namespace {

void outlive_thread(invocation::CallInterception& interception) {
  try {
    interception.outlive_thread();
  } catch (const std::bad_alloc&) {
    throw_no_memory_for_call();
  }
}

}  // namespace

// The next attempt goes on with the points of the call.
void Sending::pass_interception(Call& call, invocation::ClientCall& wire) {
  if (!call.interception) return;
  wire.interception_ = std::exchange(call.interception, nullptr);
  wire.intercepted_ = true;
}

Sending::Outcome Sending::send_intercepted() {
  Call& call = *call_;
  if (wire_) {
    call.interception = wire_->interception_;
    wire_->intercepted_ = false;
  }
  try {
    outlive_thread(*call.interception);
    const Outcome outcome = send_request();
    if (outcome == Outcome::sent) return outcome;  // from now on, the call may be another thread's
    call.end_attempt(invocation::CallInterception::Other::retried);
  } catch (const CORBA::SystemException& failure) {
    try {
      call.interception->raised(failure);
      if (wire_)
        wire_->count_redirection();
      else
        call.count_redirection();
    } catch (...) {
      call.end_interception();
      throw;
    }
  }
  if (wire_ && wire_->channel_) wire_->release();
  return Outcome::again;
}

void Call::count_redirection() {
  if (redirections++ >= calls.client.options.max_redirections) invocation::throw_forwarded_too_often();
}

bool Call::starts_here() {
  if (interception) {
    if (!ref->first_target()) return false;  // the previous attempt was forwarded
  } else if (invocation::InterceptedCalls* const interceptors = invocation::interceptors_of(*ref)) {
    interception = &interceptors->take(*ref, type->operation, true, true);
  } else {
    return true;
  }
  try {
    while (interception->start()) {
      count_redirection();
      if (ref->first_target()) continue;
      interception->outlive_thread();
      return false;
    }
  } catch (...) {
    end_interception();  // the program has not abandoned the call
    throw;
  }
  if (inherited.capture_request()) has_extras = true;
  interception->outlive_thread();
  return true;
}

void Call::end_attempt(invocation::CallInterception::Other reason) {
  if (!interception) return;
  // Others are kept already.
  if (exchange.status == Status::reply && !has_own_format) interception->keep_contexts(reply.contexts);
  interception->ended_by(reason);
}

// Runs the ending points, whose exceptions take the outcome's place. True: an interceptor forwards the call,
// which is sent again.
bool Call::forwarded_by_interceptors() noexcept {
  try {
    if (forwarded_at_end()) {
      if (redirections >= calls.client.options.max_redirections)
        throw CORBA::TRANSIENT(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                               "interceptors forward the call more often than -ORBMaxRedirections allows");
      failure = nullptr;
      exception_id.clear();
      exchange = {};
      exchange.status = Status::retry;
      exchange.reason = "an interceptor forwards the call";
      DeferredCalls::of_process().add([this] { Sending::send_again(*this); }, urgency);
      return true;
    }
  } catch (...) {
    failure = Reply::present_failure(client::completion_of(exchange));
  }
  end_interception();
  return false;
}

bool Call::forwarded_at_end() {
  // Others are kept already.
  if (exchange.status == Status::reply && !has_own_format) interception->keep_contexts(reply.contexts);
  if (failure) try {
      std::rethrow_exception(failure);
    } catch (const CORBA::SystemException& raised) {
      interception->raised(raised);
      return true;
    }
  if (reply.reply_status == giop::ReplyStatus::user_exception) {
    cdr::Decoder decoder = decoder_of_reply();
    const std::string id(exception_id.empty() ? decoder.get_raw_string_view() : exception_id);
    return interception->raised_user(id, nullptr);
  }
  interception->replied(nullptr);
  return false;
}

}  // namespace takt::async
