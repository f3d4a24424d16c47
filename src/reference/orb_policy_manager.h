// Policies of all calls of an ORB.
#pragma once

#include <memory>

#include <takt/reference/policy_manager.h>

namespace takt::reference {

class References;

// The initial reference "ORBPolicyManager". Any thread.
class OrbPolicyManager final : public CORBA::PolicyManager {
 public:
  explicit OrbPolicyManager(std::shared_ptr<References> references) : references_(std::move(references)) {}
  CORBA::PolicyList get_policy_overrides(const CORBA::PolicyTypeSeq& types) override;
  void set_policy_overrides(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add) override;

 private:
  const std::shared_ptr<References> references_;
};

}  // namespace takt::reference
