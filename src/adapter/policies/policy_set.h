// The policies of one adapter.
#pragma once

#include <cstdint>
#include <optional>

#include <takt/adapter/policies.h>
#include <takt/lookup/lookup_policy.h>

#include "adapter/policies/extension.h"

namespace takt::adapter {

class AdapterWatcher;

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

  bool bidirectional = false;  // the ORB accepts connections for call-backs
  // The effective strategies; see settle().
  LookupStrategies lookup = {};
  // Policies of another room; null if there are none.
  std::shared_ptr<PoaExtension> extension = {};
  // All policies as given; null if the ORB has no AdapterWatcher.
  std::shared_ptr<const CORBA::PolicyList> given = {};

  // The addresses and priorities in references to the adapter's objects; none without an extension.
  std::optional<reference::Publication> publication(std::int16_t object_priority) const;
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
  // Whether system-assigned ids are the names of table slots.
  bool ids_name_slots() const {
    return system_ids() && !persistent() && retain() &&
           (lookup.servant == Lookup::active || lookup.servant == Lookup::delayered);
  }
  // Replaces look-up strategies that the other policies rule out.
  void settle();
};

// Policies that are not in the list have their defaults. Throws InvalidPolicy with the index of the first
// policy that is unknown or conflicts with another.
PolicySet policy_set_of(const CORBA::PolicyList& policies, const LookupStrategies& lookup,
                        AdapterExtension* extension, const AdapterWatcher* watcher);
// Policies of the root POA: the defaults, with implicit activation.
PolicySet root_policies(const LookupStrategies& lookup, AdapterExtension* extension);

}  // namespace takt::adapter
