// Asynchronous calls of ORBs with interceptors. The starting points run in the thread that begins an attempt,
// the ending points in the one that has its outcome.
#include <takt/async/sending.h>

#include <string>
#include <utility>

#include "async/call.h"
#include "async/deferred_calls.h"
#include "client/channel/failure.h"

namespace takt::async {

using Status = client::Exchange::Status;

// The next attempt goes on with the points of the call.
void Sending::pass_interception(Call& call, invocation::ClientCall& wire) {
  if (!call.interception) return;
  wire.interception_ = std::exchange(call.interception, nullptr);
  wire.intercepted_ = true;
}

Sending::Outcome Sending::send_intercepted() {
  Call& call = *call_;
  call.interception = wire_->interception_;
  wire_->intercepted_ = false;
  try {
    call.interception->outlive_thread();
    const Outcome outcome = send_request();
    if (outcome == Outcome::sent) return outcome;  // from now on, the call may be another thread's
    call.end_attempt(invocation::CallInterception::Other::retried);
  } catch (const CORBA::SystemException& failure) {
    call.interception->raised(failure);
    wire_->count_redirection();
  }
  if (wire_->channel_) wire_->release();
  return Outcome::again;
}

void Call::end_attempt(invocation::CallInterception::Other reason) {
  if (!interception) return;
  if (exchange.status == Status::reply) interception->keep_contexts(reply.contexts);
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
      DeferredCalls::of_process().add([this] { Sending::send_again(*this); });
      return true;
    }
  } catch (...) {
    failure = std::current_exception();
  }
  end_interception();
  return false;
}

bool Call::forwarded_at_end() {
  if (exchange.status == Status::reply) interception->keep_contexts(reply.contexts);
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
