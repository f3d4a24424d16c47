// Asynchronous calls that the program cancels.
#include <new>
#include <utility>

#include <takt/async/sending.h>
#include <takt/async/stop_scope.h>

#include "async/calls/call.h"
#include "async/calls/call_scopes.h"
#include "async/calls/deadlines.h"
#include "os/poll/interruption.h"

namespace takt {

StopScope::StopScope(std::stop_token token)
    : token_(std::move(token)), outer_(std::exchange(async::CallScopes::mine().stop, this)) {}

StopScope::~StopScope() { async::CallScopes::mine().stop = outer_; }

const std::stop_token* StopScope::present() noexcept {
  const StopScope* const scope = async::CallScopes::mine().stop;
  return scope ? &scope->token_ : nullptr;
}

}  // namespace takt

namespace takt::async {

void HeldCall::cancel() const noexcept {
  if (call_) Deadlines::of_process().cancel(*call_);
}

void Call::Cancelling::operator()() const noexcept { Deadlines::of_process().cancel(call); }

// A call that is new belongs to the present scope from now on.
void Sending::note_stop_token() {
  const std::stop_token* const token = is_new_ ? StopScope::present() : nullptr;
  if (token && !call_->stop) {
    call_->has_extras = true;
    call_->stop.emplace(*token, Call::Cancelling{*call_});
  }
}

namespace {

bool is_cancelled(const void* call) noexcept { return static_cast<const Call*>(call)->cancelled; }

}  // namespace

// The call may have to connect, which ends soon when it is cancelled.
[[gnu::cold]] cdr::Encoder& Sending::begin_stoppable() {
  const os::Interruption by_program(&is_cancelled, call_);
  try {
    return wire_->begin_aside();
  } catch (const CORBA::SystemException&) {
    if (call_->cancelled) call_->throw_cancelled(CORBA::COMPLETED_NO);
    throw;
  }
}

void Call::throw_cancelled(CORBA::CompletionStatus completed) const {
  throw CORBA::TRANSIENT(CORBA::omg_minor(3), completed,
                         "the program cancelled the call of " + std::string(type->operation));
}

void Call::cancel_at_server() noexcept {
  const bool late = exchange.status == client::Exchange::Status::timeout && exchange.sent_in_part;
  if (failure || !late || !connection || !route->server->takes_cancels) return;
  try {
    connection->cancel(head.data(), request_id, *this);
  } catch (const std::bad_alloc&) {  // the server works in vain
  }
}

}  // namespace takt::async
