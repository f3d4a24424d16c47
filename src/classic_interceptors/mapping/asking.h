// Helpers of the classes of this folder.
#pragma once

#include <cstring>
#include <string>

#include <takt/classic/interceptors.h>

#include "classic/mapping/asked.h"
#include "classic_interceptors/bridge/interceptors_bridge.h"

namespace takt {
namespace classic {
namespace interceptors {

[[noreturn]] void throw_raised(const Raised& raised);
// Runs the action, whose user exceptions become those of the mapping.
template <class Action>
auto asking_runtime(Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const Raised& raised) {
    throw_raised(raised);
  }
}

CORBA::OctetSeq* taken(const Octets& octets);
CORBA::StringSeq* taken(const Names& names);
CORBA::Any* taken(AnyHandle* any);
CORBA::Policy_ptr taken_policy(Reference* policy);
Octets octets_of(const CORBA::OctetSeq& octets);
inline Context of(const IOP::ServiceContext& context) {
  return {context.context_id, octets_of(context.context_data)};
}
inline Context of(const IOP::TaggedComponent& component) {
  return {component.tag, octets_of(component.component_data)};
}

}  // namespace interceptors
}  // namespace classic
}  // namespace takt

// The common functions of a class whose objects are the runtime's.
#define TAKT_CLASSIC_DEFINE_OWN(MODULE, NAME, BASE, KIND)                                                    \
  const char* const NAME::_PD_repoId = "IDL:omg.org/" #MODULE "/" #NAME ":1.0";                              \
  NAME##_ptr NAME::_duplicate(NAME##_ptr object) { return takt::classic::Proxies<NAME>::duplicate(object); } \
  NAME##_ptr NAME::_nil() { return takt::classic::Proxies<NAME>::nil(); }                                    \
  NAME##_ptr NAME::_narrow(::CORBA::Object_ptr object) {                                                     \
    takt::classic::Reference* const reference = object ? object->_takt_reference() : nullptr;                \
    if (!reference || !bridge::is_kind(*reference, bridge::Kind::KIND)) return _nil();                       \
    return takt::classic::Proxies<NAME>::make(takt::classic::duplicate(reference));                          \
  }                                                                                                          \
  bool NAME::_takt_has_type(const char* repository_id) const {                                               \
    return std::strcmp(repository_id, _PD_repoId) == 0 || BASE::_takt_has_type(repository_id);               \
  }
#define TAKT_CLASSIC_DEFINE_EXCEPTION(SCOPE, NAME, ID)    \
  void SCOPE NAME::_raise() const { throw *this; }        \
  const char* SCOPE NAME::_name() const { return #NAME; } \
  const char* SCOPE NAME::_rep_id() const { return ID; }
