// Overrides of policies for all calls of an ORB, or of a thread (CORBA 3.0.3, 4.9).
//
//   auto manager =
//   IDL::traits<CORBA::PolicyManager>::narrow(orb->resolve_initial_references("ORBPolicyManager")); auto
//   current = IDL::traits<CORBA::PolicyCurrent>::narrow(orb->resolve_initial_references("PolicyCurrent"));
#pragma once

#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>

namespace CORBA {

// A reference's overrides go before those of the thread, and those before the ORB's. Changes hold for calls
// that begin after them, whichever thread makes them; they cost each thread a look-up for each reference that
// it calls, so that they are not for every call.
class PolicyManager : public virtual LocalObject {
 public:
  using _ref_type = object_reference<PolicyManager>;
  // Of those set here, the ones of these types; no types: all.
  virtual PolicyList get_policy_overrides(const PolicyTypeSeq& types) = 0;
  // InvalidPolicies for types given twice and nil; NO_PERMISSION for policies that are not for clients.
  // Allocates.
  virtual void set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) = 0;
};

// The calling thread's; one object for all threads. The overrides hold for all ORBs of the process.
class PolicyCurrent final : public virtual PolicyManager {
 public:
  using _ref_type = object_reference<PolicyCurrent>;
  PolicyList get_policy_overrides(const PolicyTypeSeq& types) override;
  void set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) override;
};

}  // namespace CORBA
