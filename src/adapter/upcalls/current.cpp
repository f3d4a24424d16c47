#include <takt/adapter/current.h>

#include <takt/adapter/poa.h>

#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/upcall.h"

namespace PortableServer {

namespace {

const takt::adapter::UpcallFrame& innermost() {
  const auto* upcall = takt::adapter::UpcallFrame::innermost();
  if (!upcall) throw Current::NoContext();
  return *upcall;
}

}  // namespace

CORBA::object_reference<POA> Current::get_POA() { return poa_of(innermost()).reference(); }

ObjectId Current::get_object_id() {
  const auto& upcall = innermost();
  return poa_of(upcall).id_in(upcall.key()).value();
}

CORBA::object_reference<CORBA::Object> Current::get_reference() {
  const auto& upcall = innermost();
  return poa_of(upcall).tree.reference(poa_of(upcall), servant_of(upcall)._repository_id(), upcall.key(),
                                       priority_of(upcall));
}

CORBA::servant_reference<Servant> Current::get_servant() { return servant_of(innermost())._lock(); }

}  // namespace PortableServer
