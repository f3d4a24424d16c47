// The functions of flows that each call runs, for the files that run them.
#pragma once

#include <utility>

#include "interceptors/client/client_flow.h"
#include "interceptors/client/client_info.h"
#include "interceptors/common/raised.h"
#include "invocation/flow_pool.h"

namespace takt::interceptors {

using FlowsOfThread = invocation::FlowPool<ClientFlow>;

[[gnu::always_inline]] inline bool ClientFlow::next_is_plain(const OrbInterceptors& orb) {
  return !FlowsOfThread::handed_over && orb.plain_calls;
}

[[gnu::always_inline]] inline ClientFlow& ClientFlow::take_plain(OrbInterceptors& orb,
                                                                 reference::ObjectRef& ref,
                                                                 const std::string_view& operation,
                                                                 const bool& response_expected) {
  ClientFlow& flow = FlowsOfThread::take();
  flow.orb_ = &orb;
  flow.ref_ = &ref;
  flow.operation_ = operation;
  flow.response_expected_ = response_expected;
  return flow;
}

// Each caller has a constant function, so inlining makes a virtual call of a call by pointer.
[[gnu::always_inline]] inline void ClientFlow::run(PortableInterceptor::ClientRequestInterceptor& interceptor,
                                                   unsigned point, Point function) {
  using Reference = CORBA::object_reference<PortableInterceptor::ClientRequestInfo>;
  ClientInfo& info = *info_;
  info.open(point);
  (interceptor.*function)(Reference(Reference::Lent(), info));
}

// Begins the first attempt of a plain call, which finds the flow as forget() leaves it.
[[gnu::always_inline]] inline bool ClientFlow::start_first() {
  const auto& all = orb_->clients_of[false];
  auto at = all.first;
  const auto end = all.end;
  try {
    do run(**at, client_point::send_request, &PortableInterceptor::ClientRequestInterceptor::send_request);
    while (++at != end);
  } catch (...) {
    return start_has_thrown(at);
  }
  begun_ = end;
  return false;
}

[[gnu::always_inline]] inline bool ClientFlow::start() {
  return next_ == Next::plain ? start_first() : start_with_state();
}

[[gnu::always_inline]] inline void ClientFlow::replied(const giop::ServiceContexts* contexts) {
  if (contexts) reply_contexts_ = contexts;
  if (has_state_) [[unlikely]]
    return replied_with_state();
  auto at = begun_;
  const auto first = orb_->clients_of[false].first;
  try {
    do
      run(**--at, client_point::receive_reply, &PortableInterceptor::ClientRequestInterceptor::receive_reply);
    while (at != first);
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
