// An initial reference with its type.
#pragma once

#include <tao/corba.h>

namespace TAO {
namespace Utils {

//   PortableServer::POA_var poa = TAO::Utils::RIR_Narrow<PortableServer::POA>::narrow(orb.in(), "RootPOA");
template <class T>
class RIR_Narrow {
 public:
  // The caller's. INV_OBJREF if the reference is nil or of another type.
  static typename T::_ptr_type narrow(CORBA::ORB_ptr orb, const char* name) {
    const CORBA::Object_var object = orb->resolve_initial_references(name);
    return narrow_object(object.in());
  }
  static typename T::_ptr_type narrow_object(CORBA::Object_ptr object) {
    typename T::_var_type narrowed = T::_narrow(object);
    if (CORBA::is_nil(narrowed.in())) throw CORBA::INV_OBJREF();
    return narrowed._retn();
  }
};

}  // namespace Utils
}  // namespace TAO
