#include <takt/reference/policy_manager.h>

#include "reference/context/thread_context.h"
#include "reference/orb_policy_manager.h"
#include "reference/policies/overrides.h"
#include "reference/references.h"

namespace takt::reference {

CORBA::PolicyList OrbPolicyManager::get_policy_overrides(const CORBA::PolicyTypeSeq& types) {
  return Overrides::select(references_->overrides(), types);
}

void OrbPolicyManager::set_policy_overrides(const CORBA::PolicyList& policies,
                                            CORBA::SetOverrideType set_add) {
  references_->override_policies(policies, set_add);
}

}  // namespace takt::reference

namespace CORBA {

using takt::reference::Overrides;
using takt::reference::ThreadContext;

PolicyList PolicyCurrent::get_policy_overrides(const PolicyTypeSeq& types) {
  return Overrides::select(ThreadContext::mine().overrides(), types);
}

void PolicyCurrent::set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) {
  ThreadContext& thread = ThreadContext::mine();
  thread.use_overrides(Overrides::changed(thread.overrides(), policies, set_add));
}

}  // namespace CORBA
