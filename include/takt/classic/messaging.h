// The policies of the modules Messaging and BiDirPolicy for ORB::create_policy() in the classic mapping
// (CORBA 3.0.3, 22.2 and 15.9). C++14.
//
//   CORBA::Any timeout;
//   timeout <<= static_cast<TimeBase::TimeT>(5000000);  // 100 ns: half a second
//   CORBA::PolicyList policies;
//   policies.length(1);
//   policies[0] = orb->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, timeout);
//   CORBA::Object_var limited = object->_set_policy_overrides(policies, CORBA::SET_OVERRIDE);
#pragma once

#include <takt/classic/policies.h>

namespace TimeBase {
inline namespace takt_classic_ {
typedef ::CORBA::ULongLong TimeT;
}  // namespace takt_classic_
}  // namespace TimeBase

namespace Messaging {
inline namespace takt_classic_ {

typedef ::CORBA::Short RebindMode;
const RebindMode TRANSPARENT = 0, NO_REBIND = 1, NO_RECONNECT = 2;
typedef ::CORBA::Short SyncScope;
const SyncScope SYNC_NONE = 0, SYNC_WITH_TRANSPORT = 1, SYNC_WITH_SERVER = 2, SYNC_WITH_TARGET = 3;

const ::CORBA::PolicyType REBIND_POLICY_TYPE = 23, SYNC_SCOPE_POLICY_TYPE = 24,
                          REQUEST_PRIORITY_POLICY_TYPE = 25, REQUEST_START_TIME_POLICY_TYPE = 27,
                          REQUEST_END_TIME_POLICY_TYPE = 28, REPLY_END_TIME_POLICY_TYPE = 30,
                          RELATIVE_REQ_TIMEOUT_POLICY_TYPE = 31, RELATIVE_RT_TIMEOUT_POLICY_TYPE = 32;

}  // namespace takt_classic_
}  // namespace Messaging

namespace BiDirPolicy {
inline namespace takt_classic_ {

// For adapters whose objects call back over the caller's connection, and for their clients.
typedef ::CORBA::UShort BidirectionalPolicyValue;
const BidirectionalPolicyValue NORMAL = 0, BOTH = 1;
const ::CORBA::PolicyType BIDIRECTIONAL_POLICY_TYPE = 37;

}  // namespace takt_classic_
}  // namespace BiDirPolicy
