#include "interceptors/client/client_flow.h"

#include <algorithm>
#include <utility>

#include "interceptors/client/points.h"
#include "reference/references.h"

namespace takt::interceptors {

thread_local constinit ClientFlow* ClientFlow::local_call_ = nullptr;

ClientFlow::ClientFlow() : info_(std::make_shared<ClientInfo>(*this)) {}
ClientFlow::~ClientFlow() { info_->close(); }

// The flow that was handed over may be that of another call, which has ended.
ClientFlow& ClientFlow::take(OrbInterceptors& orb, reference::ObjectRef& ref, std::string_view operation,
                             bool response_expected, bool local) {
  if (!local && next_is_plain(orb)) return take_plain(orb, ref, operation, response_expected);
  if (ClientFlow* const handed = std::exchange(FlowsOfThread::handed_over, nullptr)) {
    if (handed->ref_ == &ref && handed->operation_ == operation) {
      handed->local_ = local;
      return *handed;
    }
    handed->abandoned();
    handed->end();
  }
  ClientFlow& flow = take_plain(orb, ref, operation, response_expected);
  flow.local_ = local;
  flow.next_ = Next::first;
  return flow;
}

void ClientFlow::go_on() {
  started_ = has_state_ = true;
  next_ = Next::further;
}

// Further attempts go over connections.
void ClientFlow::outlive_thread() {
  if (local_) leave_local_call();
  local_ = false;
  own_ = has_state_ = true;
}

// Everything that an attempt has learned.
[[gnu::cold, gnu::noinline]] void ClientFlow::forget() {
  begun_ = first();
  has_state_ = own_;
  request_id_ = 0;
  added_.clear();
  local_reply_contexts_.clear();
  reply_contexts_ = nullptr;
  kind_ = Kind::results;
  status_ = PortableInterceptor::SUCCESSFUL;
  exception_ = nullptr;
  user_exception_.reset();
  forward_.reset();
  forwards_ = false;
}

[[gnu::cold, gnu::noinline]] void ClientFlow::end_with_state() noexcept {
  if (local_) leave_local_call();
  forget();
  has_state_ = local_ = started_ = false;
  next_ = Next::plain;
  list_ = nullptr;
  slots_.clear();
  if (own_)
    delete this;
  else
    FlowsOfThread::give_back(*this);
}

void ClientFlow::renew_info() noexcept { renew(info_, *this); }

void ClientFlow::run_with_slots(PortableInterceptor::ClientRequestInterceptor& interceptor, unsigned point,
                                Point function) {
  if (orb_->slots == 0) return run(interceptor, point, function);
  const SlotsKept kept(orb_->serial);
  run(interceptor, point, function);
}

[[gnu::cold, gnu::noinline]] bool ClientFlow::start_with_state() {
  if (next_ == Next::further) {
    if (std::exchange(started_, false)) return false;
    forget();
  } else if (orb_->slots != 0) {
    slots_ = slots_of_thread(orb_->serial);
  }
  next_ = Next::further;
  has_state_ = true;
  const auto& all = orb_->clients_of[local_];
  list_ = &all;
  begun_ = all.first;
  try {
    for (; begun_ != all.end; ++begun_)
      run_with_slots(**begun_, client_point::send_request,
                     &PortableInterceptor::ClientRequestInterceptor::send_request);
  } catch (...) {
    return start_has_thrown(begun_);
  }
  if (local_) outer_local_call_ = std::exchange(local_call_, this);
  return false;
}

[[gnu::cold, gnu::noinline]] void ClientFlow::replied_with_state() {
  if (local_) leave_local_call();
  try {
    while (begun_ != first())
      run_with_slots(**--begun_, client_point::receive_reply,
                     &PortableInterceptor::ClientRequestInterceptor::receive_reply);
  } catch (...) {
    return reply_has_thrown(begun_);
  }
}

std::uint32_t ClientFlow::request_id() {
  has_state_ = true;
  while (request_id_ == 0) request_id_ = orb_->next_request_id();
  return request_id_;
}

// Both handle the exception that a point has thrown.
[[gnu::cold, gnu::noinline]] bool ClientFlow::start_has_thrown(Place begun) {
  begun_ = begun;
  become(thrown_by_interceptor(true, CORBA::COMPLETED_NO));
  return unwind();
}
[[gnu::cold, gnu::noinline]] void ClientFlow::reply_has_thrown(Place begun) {
  begun_ = begun;
  become(thrown_by_interceptor(false, CORBA::COMPLETED_YES));
  unwind(false);
}

void ClientFlow::leave_local_call() {
  if (local_call_ == this) local_call_ = outer_local_call_;
  started_ = false;
}

// An exception or a forward takes the place of the outcome.
void ClientFlow::become(Thrown thrown) {
  has_state_ = true;
  user_exception_.reset();
  if (thrown.exception) {
    kind_ = Kind::exception;
    status_ = PortableInterceptor::SYSTEM_EXCEPTION;
    exception_ = std::move(thrown.exception);
    forward_.reset();
    forwards_ = false;
    return;
  }
  kind_ = Kind::other;
  status_ = PortableInterceptor::LOCATION_FORWARD;
  exception_ = nullptr;
  forward_ = std::move(thrown.forward);
  forwards_ = true;
}

CORBA::CompletionStatus ClientFlow::completion() const {
  if (kind_ == Kind::exception) return completion_of(exception_);
  return kind_ == Kind::user_exception ? CORBA::COMPLETED_YES : CORBA::COMPLETED_NO;
}

bool ClientFlow::unwind(bool may_forward) {
  using Interceptor = PortableInterceptor::ClientRequestInterceptor;
  leave_local_call();
  next_ = Next::further;
  while (begun_ != first()) {
    Interceptor& top = **--begun_;
    try {
      if (kind_ == Kind::other)
        run_with_slots(top, client_point::receive_other, &Interceptor::receive_other);
      else
        run_with_slots(top, client_point::receive_exception, &Interceptor::receive_exception);
    } catch (...) {
      become(thrown_by_interceptor(may_forward, completion()));
    }
  }
  if (kind_ == Kind::exception) std::rethrow_exception(std::exchange(exception_, nullptr));
  if (!forwards_) return false;
  ref_->redirect_to(forward_->_ref()->ior());
  return true;
}

std::span<const giop::ServiceContext> ClientFlow::with_added(std::span<const giop::ServiceContext> contexts) {
  if (added_.empty()) return contexts;
  joined_.assign(contexts.begin(), contexts.end());
  for (const giop::ServiceContext& added : added_.views())
    if (std::ranges::find(contexts, added.id, &giop::ServiceContext::id) == contexts.end())
      joined_.push_back(added);
  return joined_;
}

void ClientFlow::keep_contexts(const giop::ServiceContexts& contexts) {
  kept_octets_.assign(contexts.octets().begin(), contexts.octets().end());
  kept_contexts_ = contexts.moved_to(kept_octets_);
  reply_contexts_ = &kept_contexts_;
}

void ClientFlow::keep_reply_contexts(const AddedContexts& contexts) {
  if (contexts.empty()) return;
  has_state_ = true;
  local_reply_contexts_ = contexts;
}

void ClientFlow::raised(const CORBA::SystemException& exception) {
  become(exception);
  unwind();
}

void ClientFlow::unreadable(const CORBA::SystemException& exception) {
  become(exception);
  unwind(false);
}

void ClientFlow::become(const CORBA::SystemException& exception) {
  has_state_ = true;
  kind_ = Kind::exception;
  status_ = PortableInterceptor::SYSTEM_EXCEPTION;
  try {
    exception._raise();
  } catch (...) {
    exception_ = std::current_exception();
  }
}

bool ClientFlow::raised_user(std::string_view id, const CORBA::Any* exception) {
  has_state_ = true;
  kind_ = Kind::user_exception;
  status_ = PortableInterceptor::USER_EXCEPTION;
  exception_id_ = id;
  if (exception) user_exception_ = *exception;
  return unwind();
}

bool ClientFlow::ended_by(Other reason) {
  has_state_ = true;
  kind_ = Kind::other;
  status_ = reason == Other::sent    ? PortableInterceptor::SUCCESSFUL
            : reason == Other::moved ? PortableInterceptor::LOCATION_FORWARD
                                     : PortableInterceptor::TRANSPORT_RETRY;
  if (reason == Other::moved)
    forward_ = reference::make_stub<CORBA::Object>(ref_->references()->from_ior(ref_->target()->ior));
  return unwind();
}

void ClientFlow::abandoned() noexcept {
  try {
    raised(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE, "the program has given the call up by an exception"));
  } catch (...) {
    // The program's own exception is on its way.
  }
}

void ClientFlow::hand_over() {
  leave_local_call();
  go_on();
  FlowsOfThread::handed_over = this;
}

}  // namespace takt::interceptors
