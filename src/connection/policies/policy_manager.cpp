#include <takt/connection/policy_manager.h>

#include "connection/client/thread_channels.h"
#include "connection/orb_core.h"
#include "connection/policies/orb_policy_manager.h"
#include "connection/policies/overrides.h"

namespace takt::connection {

CORBA::PolicyList OrbPolicyManager::get_policy_overrides(const CORBA::PolicyTypeSeq& types) {
  return Overrides::select(core_->overrides(), types);
}

void OrbPolicyManager::set_policy_overrides(const CORBA::PolicyList& policies,
                                            CORBA::SetOverrideType set_add) {
  core_->override_policies(policies, set_add);
}

}  // namespace takt::connection

namespace CORBA {

using takt::connection::Overrides;
using takt::connection::ThreadChannels;

PolicyList PolicyCurrent::get_policy_overrides(const PolicyTypeSeq& types) {
  return Overrides::select(ThreadChannels::mine().overrides(), types);
}

void PolicyCurrent::set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) {
  ThreadChannels& thread = ThreadChannels::mine();
  thread.use_overrides(Overrides::changed(thread.overrides(), policies, set_add));
}

}  // namespace CORBA
