// Object adapters of the classic mapping, over the bridge.
#include <takt/classic/poa.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "classic/bridge/orb_bridge.h"
#include "classic/mapping/asked.h"
#include "classic/mapping/object_ids.h"

namespace PortableServer {
inline namespace takt_classic_ {

namespace bridge = takt::classic::poa;
using takt::classic::asked;
using takt::classic::Octets;
using takt::classic::Proxies;

namespace {

takt::classic::Servant& some(Servant servant) {
  if (servant) return *servant;
  takt::classic::raise_bad_param("a servant is a null pointer");
}
takt::classic::Reference* of(CORBA::Object_ptr object) {
  return object ? object->_takt_reference() : nullptr;
}

template <class T>
T* same(CORBA::Object_ptr object) {
  T* const found = dynamic_cast<T*>(object);
  return found ? Proxies<T>::duplicate(found) : Proxies<T>::nil();
}
// Policies of the runtime's are proxies of class Policy, until they are narrowed.
template <class T>
T* narrow_policy(CORBA::Object_ptr object, CORBA::PolicyType type) {
  if (T* const found = dynamic_cast<T*>(object)) return Proxies<T>::duplicate(found);
  CORBA::Policy* const policy = dynamic_cast<CORBA::Policy*>(object);
  if (CORBA::is_nil(policy) || dynamic_cast<CORBA::LocalObject*>(object) || policy->policy_type() != type)
    return Proxies<T>::nil();
  return Proxies<T>::make(takt::classic::duplicate(policy->_takt_reference()));
}

ObjectId* new_id(const Octets& octets) { return takt_classic_::new_id(octets.data(), octets.size()); }
Octets octets_of(const ObjectId& id) { return Octets(id.get_buffer(), id.get_buffer() + id.length()); }

}  // namespace

#define TAKT_CLASSIC_DEFINE(NAME, NARROWED)                                                      \
  const char* const NAME::_PD_repoId = "IDL:omg.org/PortableServer/" #NAME ":1.0";               \
  NAME##_ptr NAME::_duplicate(NAME##_ptr object) { return Proxies<NAME>::duplicate(object); }    \
  NAME##_ptr NAME::_nil() { return Proxies<NAME>::nil(); }                                       \
  NAME##_ptr NAME::_narrow(CORBA::Object_ptr object) { return NARROWED; }                        \
  bool NAME::_takt_has_type(const char* repository_id) const {                                   \
    return std::strcmp(repository_id, _PD_repoId) == 0 || Object::_takt_has_type(repository_id); \
  }
TAKT_CLASSIC_DEFINE(POA, same<POA>(object))
TAKT_CLASSIC_DEFINE(POAManager, same<POAManager>(object))
TAKT_CLASSIC_DEFINE(Current, same<Current>(object))

#define TAKT_CLASSIC_POLICY(NAME, FACTORY, TYPE)                                                     \
  TAKT_CLASSIC_DEFINE(NAME, narrow_policy<NAME>(object, TYPE))                                       \
  NAME##Value NAME::value() { return static_cast<NAME##Value>(bridge::policy_value(asked(*this))); } \
  NAME##_ptr POA::FACTORY(NAME##Value value) {                                                       \
    return Proxies<NAME>::make(bridge::create_policy(asked(*this), TYPE, value));                    \
  }
TAKT_CLASSIC_POLICY(ThreadPolicy, create_thread_policy, THREAD_POLICY_ID)
TAKT_CLASSIC_POLICY(LifespanPolicy, create_lifespan_policy, LIFESPAN_POLICY_ID)
TAKT_CLASSIC_POLICY(IdUniquenessPolicy, create_id_uniqueness_policy, ID_UNIQUENESS_POLICY_ID)
TAKT_CLASSIC_POLICY(IdAssignmentPolicy, create_id_assignment_policy, ID_ASSIGNMENT_POLICY_ID)
TAKT_CLASSIC_POLICY(ImplicitActivationPolicy, create_implicit_activation_policy,
                    IMPLICIT_ACTIVATION_POLICY_ID)
TAKT_CLASSIC_POLICY(ServantRetentionPolicy, create_servant_retention_policy, SERVANT_RETENTION_POLICY_ID)
TAKT_CLASSIC_POLICY(RequestProcessingPolicy, create_request_processing_policy, REQUEST_PROCESSING_POLICY_ID)

ObjectId* string_to_ObjectId(const char* text) { return new_id(bridge::string_to_id(text)); }
char* ObjectId_to_string(const ObjectId& id) {
  return CORBA::string_dup(bridge::id_to_string(octets_of(id)).c_str());
}

void POAManager::activate() { bridge::change_manager(asked(*this), bridge::Change::activate, false, false); }
void POAManager::hold_requests(CORBA::Boolean wait_for_completion) {
  bridge::change_manager(asked(*this), bridge::Change::hold, false, wait_for_completion);
}
void POAManager::discard_requests(CORBA::Boolean wait_for_completion) {
  bridge::change_manager(asked(*this), bridge::Change::discard, false, wait_for_completion);
}
void POAManager::deactivate(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) {
  bridge::change_manager(asked(*this), bridge::Change::deactivate, etherealize_objects, wait_for_completion);
}
POAManager::State POAManager::get_state() { return static_cast<State>(bridge::manager_state(asked(*this))); }
char* POAManager::get_id() { return CORBA::string_dup(bridge::manager_id(asked(*this)).c_str()); }

POA_ptr POA::create_POA(const char* name, POAManager_ptr manager, const CORBA::PolicyList& policies) {
  std::vector<takt::classic::Reference*> list;
  std::vector<CORBA::UShort> places;
  for (CORBA::ULong i = 0; i < policies.length(); ++i) {
    if (dynamic_cast<PolicyWithoutEffect*>(policies[i].in())) continue;
    list.push_back(of(policies[i]));
    places.push_back(static_cast<CORBA::UShort>(i));
  }
  try {
    return Proxies<POA>::make(bridge::create_poa(asked(*this), name ? name : "", of(manager), list));
  } catch (InvalidPolicy& invalid) {
    if (invalid.index < places.size()) invalid.index = places[invalid.index];
    throw;
  }
}
POA_ptr POA::find_POA(const char* name, CORBA::Boolean activate_it) {
  return Proxies<POA>::make(bridge::find_poa(asked(*this), name ? name : "", activate_it));
}
void POA::destroy(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) {
  bridge::destroy(asked(*this), etherealize_objects, wait_for_completion);
}
char* POA::the_name() { return CORBA::string_dup(bridge::the_name(asked(*this)).c_str()); }
POA_ptr POA::the_parent() { return Proxies<POA>::make(bridge::the_parent(asked(*this))); }
POAManager_ptr POA::the_POAManager() { return Proxies<POAManager>::make(bridge::the_manager(asked(*this))); }

namespace {
// The bridge returns what it was given as a ServantBase.
Servant back(takt::classic::Servant* servant) { return static_cast<ServantBase*>(servant); }
}  // namespace

Servant POA::get_servant() { return back(bridge::get_servant(asked(*this))); }
void POA::set_servant(Servant servant) { bridge::set_servant(asked(*this), some(servant)); }
ObjectId* POA::activate_object(Servant servant) {
  return new_id(bridge::activate_object(asked(*this), some(servant)));
}
void POA::activate_object_with_id(const ObjectId& id, Servant servant) {
  bridge::activate_object_with_id(asked(*this), octets_of(id), some(servant));
}
void POA::deactivate_object(const ObjectId& id) { bridge::deactivate_object(asked(*this), octets_of(id)); }
CORBA::Object_ptr POA::create_reference(const char* repository_id) {
  return takt::classic::make_object(bridge::create_reference(asked(*this), repository_id));
}
CORBA::Object_ptr POA::create_reference_with_id(const ObjectId& id, const char* repository_id) {
  return takt::classic::make_object(
      bridge::create_reference_with_id(asked(*this), octets_of(id), repository_id));
}
ObjectId* POA::servant_to_id(Servant servant) {
  return new_id(bridge::servant_to_id(asked(*this), some(servant)));
}
CORBA::Object_ptr POA::servant_to_reference(Servant servant) {
  return takt::classic::make_object(bridge::servant_to_reference(asked(*this), some(servant)));
}
Servant POA::reference_to_servant(CORBA::Object_ptr reference) {
  return back(bridge::reference_to_servant(asked(*this), of(reference)));
}
ObjectId* POA::reference_to_id(CORBA::Object_ptr reference) {
  return new_id(bridge::reference_to_id(asked(*this), of(reference)));
}
Servant POA::id_to_servant(const ObjectId& id) {
  return back(bridge::id_to_servant(asked(*this), octets_of(id)));
}
CORBA::Object_ptr POA::id_to_reference(const ObjectId& id) {
  return takt::classic::make_object(bridge::id_to_reference(asked(*this), octets_of(id)));
}

POA_ptr Current::get_POA() { return Proxies<POA>::make(bridge::current_poa(asked(*this))); }
ObjectId* Current::get_object_id() { return new_id(bridge::current_object_id(asked(*this))); }
CORBA::Object_ptr Current::get_reference() {
  return takt::classic::make_object(bridge::current_reference(asked(*this)));
}
Servant Current::get_servant() { return back(bridge::current_servant(asked(*this))); }

}  // namespace takt_classic_
}  // namespace PortableServer
