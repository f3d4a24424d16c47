#include "interceptors/client/client_flow.h"

#include <algorithm>
#include <utility>

#include "interceptors/client/points.h"
#include "reference/references.h"

namespace takt::interceptors {

thread_local constinit ClientFlow* ClientFlow::local_call_ = nullptr;

ClientFlow::ClientFlow() = default;
ClientFlow::~ClientFlow() = default;

// Null: what was handed over is another call's, and has ended.
[[gnu::cold, gnu::noinline]] ClientFlow* ClientFlow::take_handed_over(reference::ObjectRef& ref,
                                                                      std::string_view operation,
                                                                      bool local) {
  ClientFlow* const handed = std::exchange(FlowsOfThread::handed_over, nullptr);
  if (handed->ref_ == &ref && handed->operation_ == operation) {
    handed->local_ = local;
    return handed;
  }
  handed->abandoned();
  handed->end();
  return nullptr;
}

void ClientFlow::outlive_thread() { own_ = true; }

// Everything that an attempt has learned.
[[gnu::cold, gnu::noinline]] void ClientFlow::forget() {
  begun_ = 0;
  used_ = false;
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

[[gnu::cold, gnu::noinline]] void ClientFlow::forget_all() noexcept {
  forget();
  slots_.clear();
}

// There is none, or an interceptor has kept it.
[[gnu::cold, gnu::noinline]] void ClientFlow::make_info() {
  if (info_reference_) info_->close();
  auto info = std::make_shared<ClientInfo>(*this);
  info_ = info.get();
  info_reference_ = CORBA::object_reference<PortableInterceptor::ClientRequestInfo>(std::move(info));
}

std::uint32_t ClientFlow::request_id() {
  while (request_id_ == 0) request_id_ = orb_->next_request_id();
  return request_id_;
}

// Both handle the exception that a point has thrown.
[[gnu::cold, gnu::noinline]] bool ClientFlow::start_has_thrown() {
  become(thrown_by_interceptor(true));
  return unwind();
}
[[gnu::cold, gnu::noinline]] void ClientFlow::reply_has_thrown() {
  become(thrown_by_interceptor(false));
  unwind(false);
}

void ClientFlow::leave_local_call() {
  if (local_call_ == this) local_call_ = outer_local_call_;
  started_ = false;
}

// An exception or a forward takes the place of the outcome.
void ClientFlow::become(Thrown thrown) {
  used_ = true;
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

bool ClientFlow::unwind(bool may_forward) {
  using Interceptor = PortableInterceptor::ClientRequestInterceptor;
  leave_local_call();
  while (begun_ != 0) {
    Interceptor& top = *list_[--begun_];
    try {
      if (kind_ == Kind::other)
        run(top, client_point::receive_other, &Interceptor::receive_other);
      else
        run(top, client_point::receive_exception, &Interceptor::receive_exception);
    } catch (...) {
      become(thrown_by_interceptor(may_forward));
    }
  }
  if (info_) info_->close();
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
  used_ = true;
  local_reply_contexts_ = contexts;
}

void ClientFlow::raised(const CORBA::SystemException& exception) {
  used_ = true;
  kind_ = Kind::exception;
  status_ = PortableInterceptor::SYSTEM_EXCEPTION;
  try {
    exception._raise();
  } catch (...) {
    exception_ = std::current_exception();
  }
  unwind();
}

bool ClientFlow::raised_user(std::string_view id, const CORBA::Any* exception) {
  used_ = true;
  kind_ = Kind::user_exception;
  status_ = PortableInterceptor::USER_EXCEPTION;
  exception_id_ = id;
  if (exception) user_exception_ = *exception;
  return unwind();
}

bool ClientFlow::ended_by(Other reason) {
  used_ = true;
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
  started_ = true;
  FlowsOfThread::handed_over = this;
}

}  // namespace takt::interceptors
