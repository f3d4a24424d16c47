// The functions of flows that each call runs, for the files that run them.
#pragma once

#include <utility>

#include "interceptors/client/client_flow.h"
#include "interceptors/client/client_info.h"
#include "interceptors/common/raised.h"
#include "invocation/flow_pool.h"

namespace takt::interceptors {

using FlowsOfThread = invocation::FlowPool<ClientFlow>;

[[gnu::always_inline]] inline ClientFlow& ClientFlow::take(OrbInterceptors& orb, reference::ObjectRef& ref,
                                                           std::string_view operation, bool response_expected,
                                                           bool local) {
  if (FlowsOfThread::handed_over) [[unlikely]]
    if (ClientFlow* const flow = take_handed_over(ref, operation, local)) return *flow;
  ClientFlow& flow = FlowsOfThread::take();
  flow.orb_ = &orb;
  flow.ref_ = &ref;
  flow.operation_ = operation;
  flow.response_expected_ = response_expected;
  flow.local_ = local;
  flow.began_ = flow.started_ = false;
  return flow;
}

// Each caller has a constant function, so inlining makes a virtual call of a call by pointer.
[[gnu::always_inline]] inline void ClientFlow::run(PortableInterceptor::ClientRequestInterceptor& interceptor,
                                                   unsigned point, Point function) {
  if (info_reference_.shared().use_count() != 1) [[unlikely]]
    make_info();
  info_->open(point);
  if (orb_->slots == 0) [[likely]]
    return (interceptor.*function)(info_reference_);
  const SlotsKept kept(orb_->serial);
  (interceptor.*function)(info_reference_);
}

// Begins an attempt. The first one of a call finds the flow as forget() leaves it.
[[gnu::always_inline]] inline bool ClientFlow::start() {
  if (began_) [[unlikely]] {
    if (std::exchange(started_, false)) return false;
    forget();
  } else if (orb_->slots != 0) [[unlikely]] {
    slots_ = slots_of_thread(orb_->serial);
  }
  began_ = true;
  request_id_ = 0;
  list_ = orb_->clients_of[local_].data();
  const std::size_t count = orb_->clients_of[local_].size();
  try {
    for (; begun_ != count; ++begun_)
      run(*list_[begun_], client_point::send_request,
          &PortableInterceptor::ClientRequestInterceptor::send_request);
  } catch (...) {
    return start_has_thrown();
  }
  if (info_) info_->close();
  if (local_) [[unlikely]]
    outer_local_call_ = std::exchange(local_call_, this);
  return false;
}

[[gnu::always_inline]] inline void ClientFlow::replied(const giop::ServiceContexts* contexts) {
  if (contexts) reply_contexts_ = contexts;
  if (local_) [[unlikely]]
    leave_local_call();
  try {
    while (begun_ != 0)
      run(*list_[--begun_], client_point::receive_reply,
          &PortableInterceptor::ClientRequestInterceptor::receive_reply);
  } catch (...) {
    return reply_has_thrown();
  }
  if (info_) info_->close();
}

[[gnu::always_inline]] inline void ClientFlow::end() noexcept {
  reply_contexts_ = nullptr;
  if (used_ || begun_ != 0 || orb_->slots != 0) [[unlikely]]
    forget_all();
  if (own_) [[unlikely]]
    delete this;
  else
    FlowsOfThread::give_back(*this);
}

}  // namespace takt::interceptors
