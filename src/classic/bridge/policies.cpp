// The runtime's client policies for the classic mapping.
#include "classic/bridge/policies_bridge.h"

#include <takt/reference/policy_manager.h>

#include "classic/bridge/orb_handle.h"
#include "classic/bridge/runtime.h"
#include "classic/bridge/types.h"

namespace takt::classic::policies {

namespace {

CORBA::PolicyList runtime_list(const List& policies) {
  CORBA::PolicyList list;
  for (Reference* policy : policies)
    list.push_back(policy ? IDL::traits<CORBA::Policy>::narrow(policy->object())
                          : CORBA::object_reference<CORBA::Policy>());
  return list;
}
List list_of(const CORBA::PolicyList& policies) {
  List list;
  for (const auto& policy : policies) list.push_back(refer(policy));
  return list;
}
CORBA::SetOverrideType how(bool adds) {
  return adds ? CORBA::SetOverrideType::ADD_OVERRIDE : CORBA::SetOverrideType::SET_OVERRIDE;
}
CORBA::PolicyManager& manager_of(Reference& reference) {
  if (auto* const manager = dynamic_cast<CORBA::PolicyManager*>(reference.object().get())) return *manager;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the object is of another type");
}

}  // namespace

Reference* create(OrbHandle& orb, std::uint32_t type, AnyHandle* value) {
  return translating([&] { return refer(orb.orb->create_policy(type, value ? value->any : CORBA::Any())); });
}
Reference* set_overrides(Reference& object, const List& policies, bool adds) {
  return translating(
      [&] { return refer(object.object()->_set_policy_overrides(runtime_list(policies), how(adds))); });
}
List get_overrides(Reference& object, const Types& types) {
  return translating([&] { return list_of(object.object()->_get_policy_overrides(types)); });
}
Reference* get(Reference& object, std::uint32_t type) {
  return translating([&] { return refer(object.object()->_get_policy(type)); });
}
Reference* get_client(Reference& object, std::uint32_t type) {
  return translating([&] { return refer(object.object()->_get_client_policy(type)); });
}
bool validate_connection(Reference& object, List& inconsistent) {
  return translating([&] {
    CORBA::PolicyList list;
    const bool valid = object.object()->_validate_connection(list);
    inconsistent = list_of(list);
    return valid;
  });
}
void set_managed(Reference& manager, const List& policies, bool adds) {
  translating([&] { manager_of(manager).set_policy_overrides(runtime_list(policies), how(adds)); });
}
List get_managed(Reference& manager, const Types& types) {
  return translating([&] { return list_of(manager_of(manager).get_policy_overrides(types)); });
}
OrbHandle* orb_of(Reference& object) {
  return translating([&] { return new OrbHandle{object.object()->_get_orb()}; });
}
Reference* component_of(Reference& object) {
  return translating([&] { return refer(object.object()->_get_component()); });
}

}  // namespace takt::classic::policies
