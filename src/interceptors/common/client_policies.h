// The policies that the ORB itself makes for clients.
#pragma once

#include <takt/cdr/any.h>
#include <takt/reference/messaging.h>

namespace takt::interceptors {

// Whether there are client policies of that type.
[[gnu::cold]] inline bool is_client_policy(CORBA::PolicyType type) {
  try {
    (void)reference::make_client_policy(type, CORBA::Any());
  } catch (const CORBA::PolicyError& refused) {
    return refused.reason() == CORBA::BAD_POLICY_TYPE || refused.reason() == CORBA::BAD_POLICY_VALUE;
  }
  return true;
}

}  // namespace takt::interceptors
