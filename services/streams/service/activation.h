// Objects of a device's adapter.
#pragma once

#include <utility>

#include <takt/corba.h>

namespace takt::streams {

template <class T>
using Ref = CORBA::object_reference<T>;
using ObjectRef = Ref<CORBA::Object>;

template <class Interface>
Ref<Interface> activated(PortableServer::POA& adapter,
                         CORBA::servant_reference<PortableServer::Servant> servant) {
  const auto id = adapter.activate_object(std::move(servant));
  return IDL::traits<Interface>::unchecked_narrow(adapter.id_to_reference(id));
}

// Requests to the object that are under way go on. Without effect if it is not active.
inline void deactivate(PortableServer::POA& adapter, const ObjectRef& object) {
  if (!object) return;
  try {
    adapter.deactivate_object(adapter.reference_to_id(object));
  } catch (const PortableServer::POA::ObjectNotActive&) {  // another thread has done it
  }
}

}  // namespace takt::streams
