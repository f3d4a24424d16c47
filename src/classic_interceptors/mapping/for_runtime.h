// Code of the application's that interceptors of the runtime call.
#pragma once

#include <stdexcept>

#include "classic_interceptors/mapping/asking.h"

namespace PortableInterceptor {
inline namespace takt_classic_ {

// Runs code of the application's, whose exceptions become those of the runtime.
template <class Action>
auto for_runtime(Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const ForwardRequest& forward) {
    takt::classic::interceptors::forward_by_interceptor(
        forward.forward.in() ? forward.forward.in()->_takt_reference() : nullptr);
  } catch (const CORBA::PolicyError& refused) {
    takt::classic::interceptors::refuse_policy(refused.reason);
  } catch (const CORBA::SystemException& failure) {
    takt::classic::throw_in_runtime(failure._rep_id(), failure.minor(), failure.completed(), failure._text());
  } catch (const CORBA::Exception& exception) {
    // The runtime makes UNKNOWN of it, or INITIALIZE.
    throw std::runtime_error(exception._rep_id());
  }
}

}  // namespace takt_classic_
}  // namespace PortableInterceptor
