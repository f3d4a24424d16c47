// Requests whose callers do not wait for them.
#include <takt/dynamic/request.h>

#include "async/deferred/deferred_calls.h"
#include "async/deferred/inherited_calls.h"
#include "async/polling/dynamic_replies.h"
#include "dynamic/request/request_completion.h"
#include "threads/scheduling/priority_loan.h"

namespace CORBA {

using takt::async::DeferredCalls;
using takt::async::DynamicReplies;
using takt::async::InheritedCalls;

void Request::send_deferred() { send_deferred_for(nullptr); }

void Request::send_deferred_for(std::shared_ptr<takt::dynamic::Arrivals> arrivals) {
  begin(State::deferred);
  failure_ = nullptr;
  try {
    completion_ = std::make_shared<takt::dynamic::RequestCompletion>(std::move(arrivals));
    DeferredCalls::of_programs().add(
        [self = shared_from_this(), inherited = InheritedCalls::of_caller()] {
          const InheritedCalls::Use use(inherited);
          self->complete_deferred();
        },
        takt::os::remembered_urgency());
  } catch (...) {
    state_ = State::ready;
    throw;
  }
}

void Request::complete_deferred() noexcept {
  try {
    run(true);
  } catch (...) {
    failure_ = std::current_exception();
  }
  completion_->set();
  DynamicReplies::of_process().arrived();
}

Request::~Request() { drop_reply(); }

// The thread that makes a deferred call has the request, so that the call is complete here.
void Request::drop_reply() noexcept {
  if (state_ == State::deferred) DynamicReplies::of_process().taken();
}

void Request::take() {
  state_ = State::taken;
  completion_->take();
  DynamicReplies::of_process().taken();
}

void Request::wait() {
  switch (state_) {
    case State::ready:
      throw BAD_INV_ORDER(omg_minor(11), COMPLETED_NO, "the request has not been sent");
    case State::sent:
      throw BAD_INV_ORDER(omg_minor(13), COMPLETED_NO, "the request was not sent as deferred");
    case State::taken:
      throw BAD_INV_ORDER(omg_minor(12), COMPLETED_NO, "the request's result has been taken");
    case State::deferred:
      break;
  }
  completion_->wait();
}

void Request::get_response() {
  wait();
  take();
  if (failure_) std::rethrow_exception(failure_);
}

bool Request::poll_response() {
  if (state_ == State::deferred) return completion_->is_set();
  wait();
  return true;
}

void Request::send_oneway_quietly() {
  failure_ = nullptr;
  try {
    send_oneway();
  } catch (const Exception&) {
    failure_ = std::current_exception();
  }
}

void Request::take_quietly() {
  wait();
  take();
}

}  // namespace CORBA
