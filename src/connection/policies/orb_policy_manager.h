// The policies of all of an ORB's calls.
#pragma once

#include <memory>

#include <takt/connection/policy_manager.h>

namespace takt::connection {

class OrbCore;

// "ORBPolicyManager". Any thread.
class OrbPolicyManager final : public CORBA::PolicyManager {
 public:
  explicit OrbPolicyManager(std::shared_ptr<OrbCore> core) : core_(std::move(core)) {}
  CORBA::PolicyList get_policy_overrides(const CORBA::PolicyTypeSeq& types) override;
  void set_policy_overrides(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add) override;

 private:
  const std::shared_ptr<OrbCore> core_;
};

}  // namespace takt::connection
