#include "adapter/policies/policy_set.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <tuple>
#include <vector>

#include <takt/adapter/poa.h>
#include <takt/reference/messaging.h>

#include "adapter/policies/adapter_watcher.h"

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

// Whether one of the first `count` policies has the type.
bool has_policy(const CORBA::PolicyList& policies, std::size_t count, CORBA::PolicyType type) {
  return std::ranges::any_of(policies | std::views::take(count),
                             [&](auto policy) { return policy->policy_type() == type; });
}

bool take_bidirectional(const CORBA::object_reference<CORBA::Policy>& policy, bool& into) {
  const auto* mine = dynamic_cast<const BiDirPolicy::BidirectionalPolicy*>(policy.shared().get());
  if (mine) into = mine->value() == BiDirPolicy::BOTH;
  return mine != nullptr;
}

// The values that a list may set.
auto values_of(const PolicySet& set) {
  return std::make_tuple(set.thread, set.lifespan, set.uniqueness, set.assignment, set.implicit,
                         set.retention, set.processing, set.bidirectional);
}

bool take_any(const CORBA::object_reference<CORBA::Policy>& policy, PolicySet& set) {
  return take<ThreadPolicy>(policy, set.thread) || take<LifespanPolicy>(policy, set.lifespan) ||
         take<IdUniquenessPolicy>(policy, set.uniqueness) ||
         take<IdAssignmentPolicy>(policy, set.assignment) ||
         take<ImplicitActivationPolicy>(policy, set.implicit) ||
         take<ServantRetentionPolicy>(policy, set.retention) ||
         take<RequestProcessingPolicy>(policy, set.processing) || take_lookup(policy, set.lookup) ||
         take_bidirectional(policy, set.bidirectional);
}

// A pair of conflicting policy types; equal types mean an invalid value.
struct ConflictingPolicies {
  CORBA::PolicyType one, other;
};

std::vector<ConflictingPolicies> conflicts(const PolicySet& set) {
  std::vector<ConflictingPolicies> found;
  const auto forbid = [&](bool both, CORBA::PolicyType one, CORBA::PolicyType other) {
    if (both) found.push_back({one, other});
  };
  forbid(!set.retain() && !set.default_servant() && !set.servant_manager(), SERVANT_RETENTION_POLICY_ID,
         REQUEST_PROCESSING_POLICY_ID);
  forbid(set.default_servant() && set.unique(), ID_UNIQUENESS_POLICY_ID, REQUEST_PROCESSING_POLICY_ID);
  forbid(set.implicit_activation() && !set.system_ids(), IMPLICIT_ACTIVATION_POLICY_ID,
         ID_ASSIGNMENT_POLICY_ID);
  forbid(set.implicit_activation() && !set.retain(), IMPLICIT_ACTIVATION_POLICY_ID,
         SERVANT_RETENTION_POLICY_ID);
  // Perfect look-ups need ids that are known in advance.
  const LookupStrategies& lookup = set.lookup;
  forbid(lookup.servant == Lookup::perfect && set.system_ids(), LOOKUP_POLICY_ID, ID_ASSIGNMENT_POLICY_ID);
  forbid((lookup.servant == Lookup::perfect && lookup.servants.places() == 0) ||
             (lookup.adapter == Lookup::perfect && lookup.adapters.places() == 0) ||
             lookup.operation == Lookup::active || lookup.operation == Lookup::delayered,
         LOOKUP_POLICY_ID, LOOKUP_POLICY_ID);
  return found;
}

// Throws for the first policy in the list that conflicts with an earlier one or a default.
void refuse_conflicts(const CORBA::PolicyList& policies, const PolicySet& set) {
  const auto place_of = [&](CORBA::PolicyType type) {
    for (std::size_t i = policies.size(); i > 0; --i)
      if (auto policy = policies[i - 1]; policy->policy_type() == type) return static_cast<int>(i - 1);
    return -1;
  };
  int first = std::numeric_limits<int>::max();
  for (const ConflictingPolicies& conflict : conflicts(set))
    first = std::min(first, std::max(place_of(conflict.one), place_of(conflict.other)));
  if (first != std::numeric_limits<int>::max()) throw POA::InvalidPolicy(static_cast<std::uint16_t>(first));
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

std::optional<reference::Publication> PolicySet::publication(std::int16_t object_priority) const {
  if (!extension) return std::nullopt;
  return extension->publication(object_priority);
}

PolicySet policy_set_of(const CORBA::PolicyList& policies, const LookupStrategies& lookup,
                        AdapterExtension* extension, const AdapterWatcher* watcher) {
  PolicySet set;
  set.lookup = lookup;
  const auto known = [&](CORBA::object_reference<CORBA::Policy> policy) {
    return policy && (take_any(policy, set) || (extension && extension->knows(*policy)) ||
                      (watcher && watcher->keeps(*policy)));
  };
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const auto before = values_of(set);
    const auto is_other_value = [&] {
      return before != values_of(set) &&
             has_policy(policies, i, CORBA::object_reference<CORBA::Policy>(policies[i])->policy_type());
    };
    if (!known(policies[i]) || is_other_value()) throw POA::InvalidPolicy(static_cast<std::uint16_t>(i));
  }
  if (extension) set.extension = extension->extend(policies);
  if (watcher) set.given = std::make_shared<const CORBA::PolicyList>(policies);
  if (set.lookup.servant == Lookup::perfect && set.system_ids() &&
      !has_policy(policies, policies.size(), LOOKUP_POLICY_ID))
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "-ORBPOALookup has the servants of this POA found by perfect hashing, but their "
                           "ids are not known beforehand: the system makes them");
  refuse_conflicts(policies, set);
  set.settle();
  return set;
}

PolicySet root_policies(const LookupStrategies& lookup, AdapterExtension* extension) {
  PolicySet set;
  if (extension) set.extension = extension->extend({});
  set.lookup = lookup;
  set.settle();
  set.implicit = ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION;
  return set;
}

}  // namespace takt::adapter
