// Client policies that somebody has set: an ORB's, a thread's or a reference's.
#pragma once

#include <memory>

#include <takt/reference/policy.h>

#include "reference/policies/call_policies.h"

namespace takt::reference {

// Immutable, so that any number of threads and owners may share one; null stands for none.
class Overrides {
 public:
  explicit Overrides(CORBA::PolicyList policies) : policies_(std::move(policies)) {}

  // What `former` becomes. Throws InvalidPolicies and NO_PERMISSION. Allocates.
  static std::shared_ptr<const Overrides> changed(const std::shared_ptr<const Overrides>& former,
                                                  const CORBA::PolicyList& policies,
                                                  CORBA::SetOverrideType set_add);
  // Of these types; no types: all.
  static CORBA::PolicyList select(const std::shared_ptr<const Overrides>& overrides,
                                  const CORBA::PolicyTypeSeq& types);
  // Nil: there is none.
  CORBA::object_reference<CORBA::Policy> find(CORBA::PolicyType type) const;
  void apply_to(CallPolicies& policies) const;

 private:
  const CORBA::PolicyList policies_;  // one of a type
};

}  // namespace takt::reference
