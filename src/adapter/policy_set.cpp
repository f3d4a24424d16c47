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

bool take_lookup(const CORBA::object_reference<CORBA::Policy>& policy, LookupStrategies& into) {
  const auto mine = IDL::traits<LookupPolicy>::narrow(policy);
  if (mine) into = mine->strategies();
  return static_cast<bool>(mine);
}

bool take_any(const CORBA::object_reference<CORBA::Policy>& policy, PolicySet& set) {
  return take<ThreadPolicy>(policy, set.thread) || take<LifespanPolicy>(policy, set.lifespan) ||
         take<IdUniquenessPolicy>(policy, set.uniqueness) ||
         take<IdAssignmentPolicy>(policy, set.assignment) ||
         take<ImplicitActivationPolicy>(policy, set.implicit) ||
         take<ServantRetentionPolicy>(policy, set.retention) ||
         take<RequestProcessingPolicy>(policy, set.processing) || take_lookup(policy, set.lookup);
}

// A perfect look-up knows what there will be.
bool lookup_is_possible(const PolicySet& set) {
  const LookupStrategies& lookup = set.lookup;
  const bool no_adapters = lookup.adapter == Lookup::perfect && lookup.adapters.places() == 0;
  const bool no_servants =
      lookup.servant == Lookup::perfect && (lookup.servants.places() == 0 || set.system_ids());
  return !no_adapters && !no_servants && lookup.operation != Lookup::active &&
         lookup.operation != Lookup::delayered;
}

// The type of the policy that makes the set illegal, if one does.
std::optional<CORBA::PolicyType> conflict(const PolicySet& set) {
  if (!set.retain() && !set.default_servant() && !set.servant_manager())
    return set.processing == RequestProcessingPolicyValue::USE_ACTIVE_OBJECT_MAP_ONLY
               ? std::optional(SERVANT_RETENTION_POLICY_ID)
               : std::nullopt;
  if (set.default_servant() && set.unique()) return REQUEST_PROCESSING_POLICY_ID;
  if (set.implicit_activation() && (!set.system_ids() || !set.retain())) return IMPLICIT_ACTIVATION_POLICY_ID;
  return lookup_is_possible(set) ? std::nullopt : std::optional(LOOKUP_POLICY_ID);
}

}  // namespace

void PolicySet::settle() {
  const auto by_slot = [](Lookup strategy) {
    return strategy == Lookup::active || strategy == Lookup::delayered;
  };
  for (Lookup* strategy : {&lookup.adapter, &lookup.servant})
    if (persistent() && by_slot(*strategy)) *strategy = Lookup::dynamic;
  if (lookup.adapter == lookup.servant) return;
  for (Lookup* strategy : {&lookup.adapter, &lookup.servant})
    if (*strategy == Lookup::delayered) *strategy = Lookup::active;
}

PolicySet policy_set_of(const CORBA::PolicyList& policies, const LookupStrategies& lookup,
                        AdapterExtension* extension) {
  PolicySet set;
  set.lookup = lookup;
  const auto known = [&](CORBA::object_reference<CORBA::Policy> policy) {
    return policy && (take_any(policy, set) || (extension && extension->knows(*policy)));
  };
  for (std::size_t i = 0; i < policies.size(); ++i)
    if (!known(policies[i])) throw POA::InvalidPolicy(static_cast<std::uint16_t>(i));
  if (extension) set.extension = extension->extend(policies);
  const auto bad = conflict(set);
  if (!bad) {
    set.settle();
    return set;
  }
  // The one that is at fault, or, where a default is at fault, the last that was given.
  std::uint16_t index = policies.empty() ? 0 : static_cast<std::uint16_t>(policies.size() - 1);
  for (std::size_t i = 0; i < policies.size(); ++i)
    if (auto policy = policies[i]; policy->policy_type() == *bad) index = static_cast<std::uint16_t>(i);
  throw POA::InvalidPolicy(index);
}

PolicySet root_policies(const LookupStrategies& lookup) {
  PolicySet set;
  set.lookup = lookup;
  set.settle();
  set.implicit = ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION;
  return set;
}

}  // namespace takt::adapter
