// The policies of adapters as interceptors see them.
#pragma once

#include <takt/reference/policy.h>

namespace takt::adapter {
class PoaCore;
struct PolicySet;
}  // namespace takt::adapter

namespace takt::interceptors {

// Nil if there is none.
CORBA::object_reference<CORBA::Policy> last_of_type(const CORBA::PolicyList& policies,
                                                    CORBA::PolicyType type);
// The policy that the adapter was created with; nil if there was none of the type.
CORBA::object_reference<CORBA::Policy> given_policy(const adapter::PoaCore& poa, CORBA::PolicyType type);
// The same, or the one that applies by default.
CORBA::object_reference<CORBA::Policy> effective_policy(const adapter::PoaCore& poa, CORBA::PolicyType type);
// Whether adapters may have policies of that type without a factory.
bool is_adapter_policy(CORBA::PolicyType type);

}  // namespace takt::interceptors
