#include "interceptors/common/adapter_policies.h"

#include <takt/adapter/policies.h>
#include <takt/standard/BiDirPolicyC.h>
#include <takt/standard/RTCORBAC.h>

#include "adapter/poa/poa_core.h"

namespace takt::interceptors {

namespace {

using Reference = CORBA::object_reference<CORBA::Policy>;

template <class Policy, class Value>
Reference policy(Value value) {
  return CORBA::make_reference<Policy>(value);
}

}  // namespace

Reference last_of_type(const CORBA::PolicyList& policies, CORBA::PolicyType type) {
  Reference found;
  for (const Reference& one : policies)
    if (Reference same = one; same->policy_type() == type) found = same;
  return found;
}

// The last one of a type applies.
Reference given_policy(const adapter::PoaCore& poa, CORBA::PolicyType type) {
  return poa.policies.given ? last_of_type(*poa.policies.given, type) : Reference();
}

Reference effective_policy(const adapter::PoaCore& poa, CORBA::PolicyType type) {
  using namespace PortableServer;
  const adapter::PolicySet& set = poa.policies;
  switch (type) {
    case THREAD_POLICY_ID:
      return policy<ThreadPolicy>(set.thread);
    case LIFESPAN_POLICY_ID:
      return policy<LifespanPolicy>(set.lifespan);
    case ID_UNIQUENESS_POLICY_ID:
      return policy<IdUniquenessPolicy>(set.uniqueness);
    case ID_ASSIGNMENT_POLICY_ID:
      return policy<IdAssignmentPolicy>(set.assignment);
    case IMPLICIT_ACTIVATION_POLICY_ID:
      return policy<ImplicitActivationPolicy>(set.implicit);
    case SERVANT_RETENTION_POLICY_ID:
      return policy<ServantRetentionPolicy>(set.retention);
    case REQUEST_PROCESSING_POLICY_ID:
      return policy<RequestProcessingPolicy>(set.processing);
    default:
      return given_policy(poa, type);
  }
}

bool is_adapter_policy(CORBA::PolicyType type) {
  return (type >= PortableServer::THREAD_POLICY_ID && type <= PortableServer::REQUEST_PROCESSING_POLICY_ID) ||
         type == BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE ||
         (type >= RTCORBA::PRIORITY_MODEL_POLICY_TYPE &&
          type <= RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE);
}

}  // namespace takt::interceptors
