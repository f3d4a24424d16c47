#include "interceptors/client/client_calls.h"

#include "interceptors/client/points.h"

namespace takt::interceptors {

cdr::Encoder& ClientCalls::begin(invocation::ClientCall& call) {
  if (has_begun(call) || !ClientFlow::next_is_plain(orb_)) [[unlikely]]
    return InterceptedCalls::begin(call);
  return begin_first<ClientFlow>(call,
                                 [this](reference::ObjectRef& ref, const std::string_view& operation,
                                        const bool& response_expected) -> auto& {
                                   return ClientFlow::take_plain(orb_, ref, operation, response_expected);
                                 });
}

void ClientCalls::finish(invocation::ClientCall& call) { finish_by<ClientFlow>(call); }

invocation::CallInterception& ClientCalls::take(reference::ObjectRef& ref, std::string_view operation,
                                                bool response_expected, bool local) {
  return ClientFlow::take(orb_, ref, operation, response_expected, local);
}

}  // namespace takt::interceptors
