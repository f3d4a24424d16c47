#include <takt/adapter/current.h>

#include <takt/adapter/poa.h>

#include "adapter/object_adapter.h"
#include "adapter/upcall.h"

namespace PortableServer {

namespace {

const takt::adapter::Upcall& innermost() {
  const auto* upcall = takt::adapter::Upcall::innermost();
  if (!upcall) throw Current::NoContext();
  return *upcall;
}

}  // namespace

CORBA::object_reference<POA> Current::get_POA() { return innermost().poa().reference(); }

ObjectId Current::get_object_id() {
  const auto& upcall = innermost();
  return upcall.poa().id_in(upcall.key()).value();
}

CORBA::object_reference<CORBA::Object> Current::get_reference() {
  const auto& upcall = innermost();
  return upcall.poa().adapter.reference(upcall.poa(), upcall.servant()._repository_id(), upcall.key(),
                                        upcall.object_priority());
}

CORBA::servant_reference<Servant> Current::get_servant() { return innermost().servant()._lock(); }

}  // namespace PortableServer
