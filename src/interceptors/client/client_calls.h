// The calls of an ORB with client interceptors.
#pragma once

#include "interceptors/common/orb_interceptors.h"
#include "invocation/intercepted_calls.h"

namespace takt::interceptors {

class ClientCalls final : public invocation::InterceptedCalls {
 public:
  explicit ClientCalls(OrbInterceptors& orb) : orb_(orb) {}

  cdr::Encoder& begin(invocation::ClientCall& call) override;
  void finish(invocation::ClientCall& call) override;
  invocation::CallInterception& take(reference::ObjectRef& ref, std::string_view operation,
                                     bool response_expected, bool local) override;

 private:
  OrbInterceptors& orb_;
};

}  // namespace takt::interceptors
