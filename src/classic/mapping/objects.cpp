// CORBA::Object and Policy of the classic mapping.
#include <takt/classic/object.h>

#include <cstring>
#include <string>

#include <takt/classic/poa.h>
#include <takt/classic/policies.h>
#include <takt/reference/failure_codes.h>

#include "classic/bridge/orb_bridge.h"
#include "classic/mapping/asked.h"

namespace CORBA {
inline namespace takt_classic_ {

using takt::classic::asked;

const char* const Object::_PD_repoId = "IDL:omg.org/CORBA/Object:1.0";

Object::~Object() { takt::classic::release(reference_); }
Object_ptr Object::_duplicate(Object_ptr object) { return takt::classic::Proxies<Object>::duplicate(object); }
Object_ptr Object::_nil() { return takt::classic::Proxies<Object>::nil(); }

bool Object::_takt_has_type(const char* repository_id) const {
  return std::strcmp(repository_id, _PD_repoId) == 0;
}
Boolean Object::_is_a(const char* repository_id) {
  if (!reference_) return *repository_id == '\0';  // as omniORB has it
  return _takt_has_type(repository_id) || takt::classic::is_a(*reference_, repository_id);
}
Boolean Object::_non_existent() { return !reference_ || takt::classic::non_existent(*reference_); }
Boolean Object::_is_equivalent(Object_ptr other) {
  if (is_nil(other) || !reference_) return is_nil(other) && !reference_;
  return takt::classic::is_equivalent(*reference_, *other->_takt_reference());
}
ULong Object::_hash(ULong maximum) { return reference_ ? takt::classic::hash(*reference_, maximum) : 0; }
char* Object::_repository_id() { return string_dup(takt::classic::repository_id(asked(*this)).c_str()); }

void Object::_add_ref() {
  if (reference_) count_.fetch_add(1, std::memory_order_relaxed);
}
void Object::_remove_ref() {
  if (reference_ && count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

LocalObject::LocalObject() { reference_ = takt::classic::refer_to_local(*this, false); }
LocalObject::~LocalObject() {
  if (reference_) takt::classic::forget_local(*reference_);
}
LocalObject_ptr LocalObject::_duplicate(LocalObject_ptr object) {
  return takt::classic::Locals<LocalObject>::duplicate(object);
}
LocalObject_ptr LocalObject::_narrow(Object_ptr object) {
  return takt::classic::Locals<LocalObject>::narrow(object);
}
LocalObject_ptr LocalObject::_nil() {
  struct NilObject final : LocalObject {
    NilObject() : LocalObject(takt::classic::Nil()) {}
  };
  static LocalObject* const nil = new NilObject;  // never destroyed: other static objects refer to it
  return nil;
}

const char* const Policy::_PD_repoId = "IDL:omg.org/CORBA/Policy:1.0";
Policy_ptr Policy::_duplicate(Policy_ptr policy) { return takt::classic::Proxies<Policy>::duplicate(policy); }
Policy_ptr Policy::_narrow(Object_ptr object) {
  Policy* const policy = dynamic_cast<Policy*>(object);
  return policy ? _duplicate(policy) : _nil();
}
Policy_ptr Policy::_nil() { return takt::classic::Proxies<Policy>::nil(); }
bool Policy::_takt_has_type(const char* repository_id) const {
  return std::strcmp(repository_id, _PD_repoId) == 0 || Object::_takt_has_type(repository_id);
}
Policy_ptr Policy::copy() { return _duplicate(this); }  // policies never change
PolicyType Policy::policy_type() { return takt::classic::poa::policy_type(asked(*this)); }

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

void raise_nil() {
  raise_system("IDL:omg.org/CORBA/INV_OBJREF:1.0", failure_codes().nil_target, CORBA::COMPLETED_NO,
               "an operation was called on a nil reference");
}

Reference* lasting_reference(CORBA::Object_ptr object) {
  if (auto* const local = dynamic_cast<CORBA::LocalObject*>(object))
    if (local->_takt_reference()) return refer_to_local(*local, true);
  return object ? duplicate(object->_takt_reference()) : nullptr;
}

CORBA::Object_ptr make_object(Reference* reference) {
  if (LocalImplementation* const local = reference ? local_behind(*reference) : nullptr) {
    const CORBA::LocalObject_ptr object = static_cast<CORBA::LocalObject*>(local);
    object->_add_ref();
    release(reference);
    return object;
  }
  const char* const own = reference ? own_class(*reference) : nullptr;
  if (!own) return Proxies<CORBA::Object>::make(reference);
#define TAKT_CLASSIC_MAKE(NAME) \
  if (std::strcmp(own, NAME::_PD_repoId) == 0) return Proxies<NAME>::make(reference);
  TAKT_CLASSIC_MAKE(PortableServer::POA)
  TAKT_CLASSIC_MAKE(PortableServer::POAManager)
  TAKT_CLASSIC_MAKE(CORBA::Policy)
  TAKT_CLASSIC_MAKE(CORBA::PolicyManager)
  TAKT_CLASSIC_MAKE(CORBA::PolicyCurrent)
#undef TAKT_CLASSIC_MAKE
  return Proxies<PortableServer::Current>::make(reference);
}

}  // namespace classic
}  // namespace takt
