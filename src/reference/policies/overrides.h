// Client policies set on an ORB, a thread or a reference.
#pragma once

#include <memory>

#include <takt/reference/policy.h>

#include "reference/policies/call_policies.h"

namespace takt::reference {

// Immutable, so any number of threads and owners may share it; null stands for none.
class Overrides {
 public:
  explicit Overrides(CORBA::PolicyList policies) : policies_(std::move(policies)) {}

  // Returns `former` with the change applied. Throws InvalidPolicies and NO_PERMISSION. Allocates.
  static std::shared_ptr<const Overrides> changed(const std::shared_ptr<const Overrides>& former,
                                                  const CORBA::PolicyList& policies,
                                                  CORBA::SetOverrideType set_add);
  // The policies that have one of these types; all if `types` is empty.
  static CORBA::PolicyList select(const std::shared_ptr<const Overrides>& overrides,
                                  const CORBA::PolicyTypeSeq& types);
  // Nil if there is none.
  CORBA::object_reference<CORBA::Policy> find(CORBA::PolicyType type) const;
  void apply_to(CallPolicies& policies) const;

 private:
  const CORBA::PolicyList policies_;  // at most one of each type
};

}  // namespace takt::reference
