#include "reference/policies/overrides.h"

#include <algorithm>

#include <takt/reference/messaging.h>

namespace takt::reference {

namespace {

const CORBA::object_reference<CORBA::Policy>* find_in(const CORBA::PolicyList& list, CORBA::PolicyType type) {
  const auto found = std::ranges::find_if(list, [&](const auto& p) { return p->policy_type() == type; });
  return found == list.end() ? nullptr : &*found;
}

// Returns the list if all are client policies with distinct types; else throws.
CORBA::PolicyList checked(const CORBA::PolicyList& list) {
  CORBA::PolicyList good;
  std::vector<std::uint16_t> bad;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i] || find_in(good, list[i]->policy_type())) {
      bad.push_back(static_cast<std::uint16_t>(i));
      continue;
    }
    if (!std::dynamic_pointer_cast<ClientPolicy>(list[i].shared()))
      throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO,
                                 "a policy of type " + std::to_string(list[i]->policy_type()) +
                                     " is not one that a client can set for its calls");
    good.push_back(list[i]);
  }
  if (!bad.empty()) throw CORBA::InvalidPolicies(std::move(bad));
  return good;
}

}  // namespace

std::shared_ptr<const Overrides> Overrides::changed(const std::shared_ptr<const Overrides>& former,
                                                    const CORBA::PolicyList& policies,
                                                    CORBA::SetOverrideType set_add) {
  CORBA::PolicyList list = checked(policies);
  if (former && set_add == CORBA::SetOverrideType::ADD_OVERRIDE)
    for (const auto& policy : former->policies_)
      if (!find_in(list, policy->policy_type())) list.push_back(policy);
  return list.empty() ? nullptr : std::make_shared<const Overrides>(std::move(list));
}

CORBA::PolicyList Overrides::select(const std::shared_ptr<const Overrides>& overrides,
                                    const CORBA::PolicyTypeSeq& types) {
  if (!overrides) return {};
  if (types.empty()) return overrides->policies_;
  CORBA::PolicyList chosen;
  for (const auto& policy : overrides->policies_)
    if (std::ranges::find(types, policy->policy_type()) != types.end()) chosen.push_back(policy);
  return chosen;
}

CORBA::object_reference<CORBA::Policy> Overrides::find(CORBA::PolicyType type) const {
  const auto* found = find_in(policies_, type);
  return found ? *found : CORBA::object_reference<CORBA::Policy>();
}

void Overrides::apply_to(CallPolicies& policies) const {
  for (const auto& policy : policies_) dynamic_cast<const ClientPolicy&>(*policy).apply_to(policies);
}

}  // namespace takt::reference
