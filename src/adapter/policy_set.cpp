#include "adapter/policy_set.h"

#include <optional>

#include <takt/adapter/poa.h>

namespace takt::adapter {

using namespace PortableServer;

namespace {

template <class P, class Value>
bool take(const CORBA::object_reference<CORBA::Policy>& policy, Value& into) {
  const auto mine = IDL::traits<P>::narrow(policy);
  if (mine) into = mine->value();
  return static_cast<bool>(mine);
}

bool take_any(const CORBA::object_reference<CORBA::Policy>& policy, PolicySet& set) {
  return take<ThreadPolicy>(policy, set.thread) || take<LifespanPolicy>(policy, set.lifespan) ||
         take<IdUniquenessPolicy>(policy, set.uniqueness) ||
         take<IdAssignmentPolicy>(policy, set.assignment) ||
         take<ImplicitActivationPolicy>(policy, set.implicit) ||
         take<ServantRetentionPolicy>(policy, set.retention) ||
         take<RequestProcessingPolicy>(policy, set.processing);
}

// The type of the policy that makes the set illegal, if one does.
std::optional<CORBA::PolicyType> conflict(const PolicySet& set) {
  if (!set.retain() && !set.default_servant() && !set.servant_manager())
    return set.processing == RequestProcessingPolicyValue::USE_ACTIVE_OBJECT_MAP_ONLY
               ? std::optional(SERVANT_RETENTION_POLICY_ID)
               : std::nullopt;
  if (set.default_servant() && set.unique()) return REQUEST_PROCESSING_POLICY_ID;
  if (set.implicit_activation() && (!set.system_ids() || !set.retain())) return IMPLICIT_ACTIVATION_POLICY_ID;
  return std::nullopt;
}

}  // namespace

PolicySet policy_set_of(const CORBA::PolicyList& policies) {
  PolicySet set;
  for (std::size_t i = 0; i < policies.size(); ++i)
    if (!policies[i] || !take_any(policies[i], set)) throw POA::InvalidPolicy(static_cast<std::uint16_t>(i));
  const auto bad = conflict(set);
  if (!bad) return set;
  // The one that is at fault, or, where a default is at fault, the last that was given.
  std::uint16_t index = policies.empty() ? 0 : static_cast<std::uint16_t>(policies.size() - 1);
  for (std::size_t i = 0; i < policies.size(); ++i)
    if (auto policy = policies[i]; policy->policy_type() == *bad) index = static_cast<std::uint16_t>(i);
  throw POA::InvalidPolicy(index);
}

PolicySet root_policies() {
  PolicySet set;
  set.implicit = ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION;
  return set;
}

}  // namespace takt::adapter
