// Policies of clients in the classic mapping (CORBA 3.0.3, 4.8 and 4.9). C++14.
#pragma once

#include <takt/classic/orb.h>
#include <takt/classic/orb_types.h>

namespace CORBA {
inline namespace takt_classic_ {

TAKT_CLASSIC_SEQUENCE(PolicyTypeSeq, takt::classic::Values<PolicyType>)

typedef Short PolicyErrorCode;
const PolicyErrorCode BAD_POLICY = 0, UNSUPPORTED_POLICY = 1, BAD_POLICY_TYPE = 2, BAD_POLICY_VALUE = 3,
                      UNSUPPORTED_POLICY_VALUE = 4;

// ORB::create_policy() cannot make the policy.
class PolicyError : public UserException {
 public:
  PolicyErrorCode reason;
  PolicyError() : reason(BAD_POLICY) {}
  explicit PolicyError(PolicyErrorCode why) : reason(why) {}
  void _raise() const override;
  const char* _name() const override;
  const char* _rep_id() const override;
  static PolicyError* _downcast(Exception* exception) { return dynamic_cast<PolicyError*>(exception); }
  static const PolicyError* _downcast(const Exception* exception) {
    return dynamic_cast<const PolicyError*>(exception);
  }
  static PolicyError* _narrow(Exception* exception) { return _downcast(exception); }
};

// The places of the policies in a list that cannot be set.
class InvalidPolicies : public UserException {
 public:
  UShortSeq indices;
  InvalidPolicies() {}
  explicit InvalidPolicies(const UShortSeq& which) : indices(which) {}
  void _raise() const override;
  const char* _name() const override;
  const char* _rep_id() const override;
  static InvalidPolicies* _downcast(Exception* exception) {
    return dynamic_cast<InvalidPolicies*>(exception);
  }
  static const InvalidPolicies* _downcast(const Exception* exception) {
    return dynamic_cast<const InvalidPolicies*>(exception);
  }
  static InvalidPolicies* _narrow(Exception* exception) { return _downcast(exception); }
};

TAKT_CLASSIC_OBJECT_TYPES(PolicyManager)
// The policies of all calls of an ORB ("ORBPolicyManager"). A reference's policies prevail over the thread's,
// and those over the ORB's.
class PolicyManager : public virtual Object {
  TAKT_CLASSIC_OWN_OBJECT(PolicyManager)
  PolicyList* get_policy_overrides(const PolicyTypeSeq& types);  // all if there are no types
  // InvalidPolicies for two of one type and nil, NO_PERMISSION for what is no client policy.
  void set_policy_overrides(const PolicyList& policies, SetOverrideType set_add);
};

TAKT_CLASSIC_OBJECT_TYPES(PolicyCurrent)
// The policies of the calling thread's calls ("PolicyCurrent").
class PolicyCurrent : public virtual PolicyManager, public virtual Current {
  TAKT_CLASSIC_OWN_OBJECT(PolicyCurrent)
};

}  // namespace takt_classic_
}  // namespace CORBA
