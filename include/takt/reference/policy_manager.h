// Policy overrides for all calls of an ORB or of a thread (CORBA 3.0.3, 4.9).
//
//   auto manager = IDL::traits<CORBA::PolicyManager>::narrow(
//       orb->resolve_initial_references("ORBPolicyManager"));
//   auto current = IDL::traits<CORBA::PolicyCurrent>::narrow(
//       orb->resolve_initial_references("PolicyCurrent"));
#pragma once

#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>

namespace CORBA {

// A reference's overrides prevail over the thread's, and those over the ORB's. A change applies to calls that
// begin after it, in all threads. Each change costs every thread one look-up per reference that it calls, so
// do not change policies for every call.
class PolicyManager : public virtual LocalObject {
 public:
  using _ref_type = object_reference<PolicyManager>;
  // The overrides set here that have one of these types; all if `types` is empty.
  virtual PolicyList get_policy_overrides(const PolicyTypeSeq& types) = 0;
  // Throws InvalidPolicies for duplicate types and nil, NO_PERMISSION for policies that are not client
  // policies. Allocates.
  virtual void set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) = 0;
};

// The overrides of the calling thread, for all ORBs of the process. All threads share the object.
class PolicyCurrent final : public virtual PolicyManager {
 public:
  using _ref_type = object_reference<PolicyCurrent>;
  PolicyList get_policy_overrides(const PolicyTypeSeq& types) override;
  void set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) override;
};

}  // namespace CORBA
