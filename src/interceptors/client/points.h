// The functions of flows that each call runs, for the files that run them.
#pragma once

#include <utility>

#include "interceptors/client/client_flow.h"
#include "interceptors/client/client_info.h"
#include "interceptors/common/raised.h"
#include "invocation/flow_pool.h"

namespace takt::interceptors {

using FlowsOfThread = invocation::FlowPool<ClientFlow>;

// One way that is unlikely, not two that meet again: GCC 12 would take the whole function for unlikely.
[[gnu::always_inline]] inline ClientFlow& ClientFlow::take(OrbInterceptors& orb, reference::ObjectRef& ref,
                                                           const std::string_view& operation,
                                                           const bool& response_expected, bool local) {
  if (FlowsOfThread::handed_over || local || orb.slots != 0) [[unlikely]]
    return take_with_state(orb, ref, operation, response_expected, local);
  ClientFlow& flow = FlowsOfThread::take();
  flow.begin(orb, ref, operation, response_expected);
  return flow;
}

[[gnu::always_inline]] inline void ClientFlow::begin(OrbInterceptors& orb, reference::ObjectRef& ref,
                                                     const std::string_view& operation,
                                                     const bool& response_expected) {
  orb_ = &orb;
  ref_ = &ref;
  operation_ = operation;
  response_expected_ = response_expected;
}

// Each caller has a constant function, so inlining makes a virtual call of a call by pointer.
[[gnu::always_inline]] inline void ClientFlow::run(PortableInterceptor::ClientRequestInterceptor& interceptor,
                                                   unsigned point, Point function) {
  using Reference = CORBA::object_reference<PortableInterceptor::ClientRequestInfo>;
  info_->open(point);
  (interceptor.*function)(Reference(Reference::Lent(), *info_));
}

// Begins an attempt. The first one of a call finds the flow as forget() leaves it.
[[gnu::always_inline]] inline bool ClientFlow::start() {
  if (next_ != Next::plain) [[unlikely]]
    return start_with_state();
  const auto& all = orb_->clients_of[false];
  auto at = all.first;
  const auto end = all.end;
  try {
    for (; at != end; ++at)
      run(**at, client_point::send_request, &PortableInterceptor::ClientRequestInterceptor::send_request);
  } catch (...) {
    return start_has_thrown(at);
  }
  begun_ = end;
  return false;
}

[[gnu::always_inline]] inline void ClientFlow::replied(const giop::ServiceContexts* contexts) {
  if (contexts) reply_contexts_ = contexts;
  if (has_state_) [[unlikely]]
    return replied_with_state();
  auto at = begun_;
  const auto first = orb_->clients_of[false].first;
  try {
    while (at != first)
      run(**--at, client_point::receive_reply, &PortableInterceptor::ClientRequestInterceptor::receive_reply);
  } catch (...) {
    return reply_has_thrown(at);
  }
}

[[gnu::always_inline]] inline void ClientFlow::end() noexcept {
  if (has_state_) [[unlikely]]
    return end_with_state();
  reply_contexts_ = nullptr;
  FlowsOfThread::give_back(*this);
}

}  // namespace takt::interceptors
