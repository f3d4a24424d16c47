// The seven policies of one adapter.
#pragma once

#include <takt/adapter/lookup_policy.h>
#include <takt/adapter/policies.h>

#include "adapter/policies/extension.h"

namespace takt::adapter {

struct PolicySet {
  PortableServer::ThreadPolicyValue thread = PortableServer::ThreadPolicyValue::ORB_CTRL_MODEL;
  PortableServer::LifespanPolicyValue lifespan = PortableServer::LifespanPolicyValue::TRANSIENT;
  PortableServer::IdUniquenessPolicyValue uniqueness = PortableServer::IdUniquenessPolicyValue::UNIQUE_ID;
  PortableServer::IdAssignmentPolicyValue assignment = PortableServer::IdAssignmentPolicyValue::SYSTEM_ID;
  PortableServer::ImplicitActivationPolicyValue implicit =
      PortableServer::ImplicitActivationPolicyValue::NO_IMPLICIT_ACTIVATION;
  PortableServer::ServantRetentionPolicyValue retention = PortableServer::ServantRetentionPolicyValue::RETAIN;
  PortableServer::RequestProcessingPolicyValue processing =
      PortableServer::RequestProcessingPolicyValue::USE_ACTIVE_OBJECT_MAP_ONLY;

  bool bidirectional = false;  // its ORB accepts connections for call-backs
  // As it is done: see settle().
  LookupStrategies lookup = {};
  // Of policies that are another room's; null: there are none.
  std::shared_ptr<PoaExtension> extension = {};

  bool serialized() const { return thread != PortableServer::ThreadPolicyValue::ORB_CTRL_MODEL; }
  bool persistent() const { return lifespan == PortableServer::LifespanPolicyValue::PERSISTENT; }
  bool unique() const { return uniqueness == PortableServer::IdUniquenessPolicyValue::UNIQUE_ID; }
  bool system_ids() const { return assignment == PortableServer::IdAssignmentPolicyValue::SYSTEM_ID; }
  bool implicit_activation() const {
    return implicit == PortableServer::ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION;
  }
  bool retain() const { return retention == PortableServer::ServantRetentionPolicyValue::RETAIN; }
  bool default_servant() const {
    return processing == PortableServer::RequestProcessingPolicyValue::USE_DEFAULT_SERVANT;
  }
  bool servant_manager() const {
    return processing == PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER;
  }
  // An object that the adapter names is named by its slot in the table.
  bool ids_name_slots() const {
    return system_ids() && !persistent() && retain() &&
           (lookup.servant == Lookup::active || lookup.servant == Lookup::delayered);
  }
  // Look-ups that the other policies leave no choice.
  void settle();
};

// What the list does not say, `defaults` do. Throws InvalidPolicy with the place of the first policy that is
// unknown, or that does not go with the others.
PolicySet policy_set_of(const CORBA::PolicyList& policies, const LookupStrategies& lookup,
                        AdapterExtension* extension);
// Of the root POA: the defaults, and implicit activation.
PolicySet root_policies(const LookupStrategies& lookup, AdapterExtension* extension);

}  // namespace takt::adapter
