#include <takt/classic/orb_types.h>

#include <cstring>

namespace CORBA {
inline namespace takt_classic_ {

using takt::classic::make_type_code;
using takt::classic::TypeNode;

#define TAKT_CLASSIC_DEFINE(NAME)                                                            \
  TypeNode _takt_type_##NAME(tk_alias, "IDL:omg.org/CORBA/" #NAME ":1.0", #NAME, nullptr, 0, \
                             &takt::classic::basic_types[tk_string]);                        \
  const TypeCode_ptr _tc_##NAME = make_type_code(_takt_type_##NAME);
TAKT_CLASSIC_ORB_TEXTS(TAKT_CLASSIC_DEFINE)
#undef TAKT_CLASSIC_DEFINE
#define TAKT_CLASSIC_DEFINE(NAME, TYPE, KIND)                                                \
  TypeNode _takt_type_##NAME(tk_alias, "IDL:omg.org/CORBA/" #NAME ":1.0", #NAME, nullptr, 0, \
                             &takt::classic::basic_types[tk_##KIND]);                        \
  const TypeCode_ptr _tc_##NAME = make_type_code(_takt_type_##NAME);
TAKT_CLASSIC_ORB_NUMBERS(TAKT_CLASSIC_DEFINE)
#undef TAKT_CLASSIC_DEFINE
#define TAKT_CLASSIC_DEFINE(NAME, KIND)                                       \
  TypeNode _takt_type_##NAME(KIND, "IDL:omg.org/CORBA/" #NAME ":1.0", #NAME); \
  const TypeCode_ptr _tc_##NAME = make_type_code(_takt_type_##NAME);
TAKT_CLASSIC_DEFINE(Current, tk_local_interface)
TAKT_CLASSIC_DEFINE(Policy, tk_local_interface)
TAKT_CLASSIC_DEFINE(IDLType, tk_objref)
TAKT_CLASSIC_DEFINE(InterfaceDef, tk_objref)
#undef TAKT_CLASSIC_DEFINE

#define TAKT_CLASSIC_DEFINE(NAME)                                                                            \
  const char* const NAME::_PD_repoId = "IDL:omg.org/CORBA/" #NAME ":1.0";                                    \
  NAME##_ptr NAME::_duplicate(NAME##_ptr object) { return takt::classic::Proxies<NAME>::duplicate(object); } \
  NAME##_ptr NAME::_nil() { return takt::classic::Proxies<NAME>::nil(); }                                    \
  bool NAME::_takt_has_type(const char* repository_id) const {                                               \
    return std::strcmp(repository_id, _PD_repoId) == 0 || Object::_takt_has_type(repository_id);             \
  }
TAKT_CLASSIC_DEFINE(Current)
TAKT_CLASSIC_DEFINE(IDLType)
TAKT_CLASSIC_DEFINE(InterfaceDef)
#undef TAKT_CLASSIC_DEFINE
Current_ptr Current::_narrow(Object_ptr object) {
  Current* const same = dynamic_cast<Current*>(object);
  return same ? _duplicate(same) : _nil();
}
IDLType_ptr IDLType::_narrow(Object_ptr object) { return takt::classic::Proxies<IDLType>::narrow(object); }
InterfaceDef_ptr InterfaceDef::_narrow(Object_ptr object) {
  return takt::classic::Proxies<InterfaceDef>::narrow(object);
}

void Environment::exception(Exception* exception) {
  if (exception == exception_) return;
  delete exception_;
  exception_ = exception;
}
}  // namespace takt_classic_
}  // namespace CORBA
