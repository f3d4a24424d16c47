#include "interceptors/client/client_flow.h"

#include <algorithm>
#include <utility>

#include "interceptors/client/client_info.h"
#include "interceptors/common/raised.h"
#include "invocation/flow_pool.h"
#include "reference/references.h"

namespace takt::interceptors {

thread_local constinit ClientFlow* ClientFlow::local_call_ = nullptr;

using FlowsOfThread = invocation::FlowPool<ClientFlow>;

ClientFlow::ClientFlow() = default;
ClientFlow::~ClientFlow() = default;

ClientFlow& ClientFlow::take(OrbInterceptors& orb, reference::ObjectRef& ref, std::string_view operation,
                             bool response_expected, bool local) {
  FlowsOfThread& flows = FlowsOfThread::mine();
  if (ClientFlow* const handed = std::exchange(FlowsOfThread::handed_over, nullptr)) {
    if (handed->ref_ == &ref && handed->operation_ == operation) {
      handed->local_ = local;
      return *handed;
    }
    handed->abandoned();
    handed->end();
  }
  ClientFlow& flow = flows.take();
  flow.orb_ = &orb;
  flow.ref_ = &ref;
  flow.operation_ = operation;
  flow.response_expected_ = response_expected;
  flow.local_ = local;
  flow.began_ = flow.started_ = false;
  return flow;
}

void ClientFlow::end() noexcept {
  forget();
  if (orb_->slots != 0) slots_.clear();
  if (own_)
    delete this;
  else
    FlowsOfThread::mine().give_back(*this);
}

void ClientFlow::outlive_thread() {
  if (!std::exchange(own_, true)) FlowsOfThread::mine().let_go(*this);
}

// Everything that an attempt has learned.
void ClientFlow::forget() {
  stack_.clear();
  if (!added_.empty()) added_.clear();
  if (!local_reply_contexts_.empty()) local_reply_contexts_.clear();
  reply_contexts_ = nullptr;
  if (kind_ == Kind::results) return;  // the rest is unchanged
  kind_ = Kind::results;
  exception_ = nullptr;
  user_exception_.reset();
  forward_.reset();
  forwards_ = false;
}

// There is none, or an interceptor has kept it.
[[gnu::cold, gnu::noinline]] void ClientFlow::make_info() {
  auto info = std::make_shared<ClientInfo>();
  info_ = info.get();
  info_reference_ = CORBA::object_reference<PortableInterceptor::ClientRequestInfo>(std::move(info));
}

// Inlined, because each caller has a constant function and so makes a virtual call instead of one by pointer.
[[gnu::always_inline]] inline void ClientFlow::run_without_slots(std::size_t interceptor, unsigned point,
                                                                 Point function) {
  if (info_reference_.shared().use_count() != 1) [[unlikely]]
    make_info();
  struct Open {
    ClientInfo& info;
    ~Open() { info.close(); }
  } const open{*info_};
  info_->open(*this, point);
  ((*orb_->clients[interceptor].interceptor).*function)(info_reference_);
}

[[gnu::always_inline]] inline void ClientFlow::run(std::size_t interceptor, unsigned point, Point function) {
  if (orb_->slots == 0) return run_without_slots(interceptor, point, function);
  const SlotsKept kept(orb_->serial);
  run_without_slots(interceptor, point, function);
}

bool ClientFlow::start() {
  if (std::exchange(started_, false)) return false;
  if (std::exchange(began_, true))
    forget();
  else if (orb_->slots != 0)
    slots_ = slots_of_thread(orb_->serial);
  status_ = PortableInterceptor::SUCCESSFUL;
  request_id_ = orb_->next_request_id();
  for (std::size_t i = 0; i < orb_->clients.size(); ++i) {
    if (!orb_->clients[i].sees(local_)) continue;
    try {
      run(i, client_point::send_request, &PortableInterceptor::ClientRequestInterceptor::send_request);
    } catch (...) {
      become(thrown_by_interceptor(true));
      return unwind();
    }
    stack_.push_back(i);
  }
  if (local_) outer_local_call_ = std::exchange(local_call_, this);
  return false;
}

// An exception or a forward takes the place of the outcome.
void ClientFlow::become(Thrown thrown) {
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

bool ClientFlow::unwind() {
  using Interceptor = PortableInterceptor::ClientRequestInterceptor;
  if (local_call_ == this) local_call_ = outer_local_call_;
  started_ = false;
  while (!stack_.empty()) {
    const std::size_t top = stack_.back();
    stack_.pop_back();
    const bool replies = kind_ == Kind::results;
    try {
      if (replies)
        run(top, client_point::receive_reply, &Interceptor::receive_reply);
      else if (kind_ == Kind::other)
        run(top, client_point::receive_other, &Interceptor::receive_other);
      else
        run(top, client_point::receive_exception, &Interceptor::receive_exception);
    } catch (...) {
      become(thrown_by_interceptor(!replies));
    }
  }
  if (kind_ == Kind::exception) std::rethrow_exception(std::exchange(exception_, nullptr));
  if (!forwards_) return false;
  reference::References& references = *ref_->references();
  ref_->redirect(
      reference::make_target(references, forward_->_ref()->ior(), {}, ref_->original().agreed.get()));
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

void ClientFlow::keep_reply_contexts(const AddedContexts& contexts) { local_reply_contexts_ = contexts; }

void ClientFlow::replied(const giop::ServiceContexts* contexts) {
  if (contexts) reply_contexts_ = contexts;
  unwind();
}

void ClientFlow::raised(const CORBA::SystemException& exception) {
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
  kind_ = Kind::user_exception;
  status_ = PortableInterceptor::USER_EXCEPTION;
  exception_id_ = id;
  if (exception) user_exception_ = *exception;
  return unwind();
}

bool ClientFlow::ended_by(Other reason) {
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
  if (local_call_ == this) local_call_ = outer_local_call_;
  started_ = true;
  FlowsOfThread::handed_over = this;
}

}  // namespace takt::interceptors
