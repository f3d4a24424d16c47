// Policies of clients, and the operations of CORBA::Object on them.
#include <takt/classic/policies.h>

#include <cstring>

#include "classic/bridge/policies_bridge.h"
#include "classic/mapping/asked.h"

namespace CORBA {
inline namespace takt_classic_ {

namespace bridge = takt::classic::policies;
using takt::classic::asked;
using takt::classic::Proxies;

#define TAKT_CLASSIC_DEFINE(NAME)                   \
  void NAME::_raise() const { throw *this; }        \
  const char* NAME::_name() const { return #NAME; } \
  const char* NAME::_rep_id() const { return "IDL:omg.org/CORBA/" #NAME ":1.0"; }
TAKT_CLASSIC_DEFINE(PolicyError)
TAKT_CLASSIC_DEFINE(InvalidPolicies)
#undef TAKT_CLASSIC_DEFINE

#define TAKT_CLASSIC_DEFINE(NAME, BASE)                                                        \
  const char* const NAME::_PD_repoId = "IDL:omg.org/CORBA/" #NAME ":1.0";                      \
  NAME##_ptr NAME::_duplicate(NAME##_ptr object) { return Proxies<NAME>::duplicate(object); }  \
  NAME##_ptr NAME::_nil() { return Proxies<NAME>::nil(); }                                     \
  NAME##_ptr NAME::_narrow(Object_ptr object) {                                                \
    NAME* const same = dynamic_cast<NAME*>(object);                                            \
    return same ? _duplicate(same) : _nil();                                                   \
  }                                                                                            \
  bool NAME::_takt_has_type(const char* repository_id) const {                                 \
    return std::strcmp(repository_id, _PD_repoId) == 0 || BASE::_takt_has_type(repository_id); \
  }
TAKT_CLASSIC_DEFINE(PolicyManager, Object)
TAKT_CLASSIC_DEFINE(PolicyCurrent, PolicyManager)
#undef TAKT_CLASSIC_DEFINE

namespace {

bridge::List borrowed(const PolicyList& policies) {
  bridge::List list;
  for (ULong i = 0; i < policies.length(); ++i)
    list.push_back(policies[i] ? policies[i]->_takt_reference() : nullptr);
  return list;
}
bridge::Types types_of(const PolicyTypeSeq& types) {
  bridge::Types list;
  for (ULong i = 0; i < types.length(); ++i) list.push_back(types[i]);
  return list;
}
PolicyList* taken(const bridge::List& references) {
  PolicyList_var list = new PolicyList;
  list->length(static_cast<ULong>(references.size()));
  for (ULong i = 0; i < references.size(); ++i) list[i] = Proxies<Policy>::make(references[i]);
  return list._retn();
}

}  // namespace

void PolicyManager::set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) {
  bridge::set_managed(asked(*this), borrowed(policies), set_add == ADD_OVERRIDE);
}
PolicyList* PolicyManager::get_policy_overrides(const PolicyTypeSeq& types) {
  return taken(bridge::get_managed(asked(*this), types_of(types)));
}

Policy_ptr ORB::create_policy(PolicyType type, const Any& value) {
  return Proxies<Policy>::make(bridge::create(handle(), type, value._takt_handle()));
}

Object_ptr Object::_set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) {
  return Proxies<Object>::make(
      bridge::set_overrides(asked(*this), borrowed(policies), set_add == ADD_OVERRIDE));
}
PolicyList* Object::_get_policy_overrides(const PolicyTypeSeq& types) {
  return taken(bridge::get_overrides(asked(*this), types_of(types)));
}
Policy* Object::_get_policy(ULong type) { return Proxies<Policy>::make(bridge::get(asked(*this), type)); }
Policy* Object::_get_client_policy(ULong type) {
  return Proxies<Policy>::make(bridge::get_client(asked(*this), type));
}
Boolean Object::_validate_connection(PolicyList*& inconsistent) {
  inconsistent = nullptr;
  bridge::List list;
  const bool valid = bridge::validate_connection(asked(*this), list);
  inconsistent = taken(list);
  return valid;
}
Object_ptr Object::_get_component() { return takt::classic::make_object(bridge::component_of(asked(*this))); }
ORB_ptr Object::_get_orb() { return ORB::_takt_make(bridge::orb_of(asked(*this))); }

}  // namespace takt_classic_
}  // namespace CORBA
