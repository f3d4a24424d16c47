// References to the clients of event channels.
#pragma once

#include <chrono>

#include <takt/corba.h>
#include <takt/reference/messaging.h>

namespace takt::events {

// The reference with a limit for the total time of each call.
inline CORBA::object_reference<CORBA::Object> with_timeout(
    const CORBA::object_reference<CORBA::Object>& client, std::chrono::milliseconds timeout) {
  using Unit = std::chrono::duration<TimeBase::TimeT, std::ratio<1, 10'000'000>>;
  return client->_set_policy_overrides(
      {IDL::traits<Messaging::RelativeRoundtripTimeoutPolicy>::make_reference(
          std::chrono::duration_cast<Unit>(timeout).count())},
      CORBA::SetOverrideType::ADD_OVERRIDE);
}

}  // namespace takt::events
