// Helpers of the policy tests.
#pragma once

#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "orbs.h"

namespace feature {

using namespace std::chrono_literals;
using CORBA::SetOverrideType;
using PolicyRef = CORBA::object_reference<CORBA::Policy>;

inline constexpr TimeBase::TimeT units(std::chrono::nanoseconds time) {
  return static_cast<TimeBase::TimeT>(time.count() / 100);
}

template <class Value>
PolicyRef policy(const Orb& orb, CORBA::PolicyType type, Value value) {
  CORBA::Any any;
  any <<= value;
  return orb->create_policy(type, any);
}
inline PolicyRef round_trip(const Orb& orb, std::chrono::nanoseconds time) {
  return policy(orb, Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, units(time));
}

// The same object with additional policies.
template <class Interface>
CORBA::object_reference<Interface> with(const CORBA::object_reference<Interface>& object,
                                        const CORBA::PolicyList& policies) {
  return IDL::traits<Interface>::narrow(
      object->_set_policy_overrides(policies, SetOverrideType::ADD_OVERRIDE));
}

inline CORBA::object_reference<CORBA::PolicyManager> manager_of(const Orb& orb, const char* name) {
  return IDL::traits<CORBA::PolicyManager>::narrow(orb->resolve_initial_references(name));
}

}  // namespace feature
