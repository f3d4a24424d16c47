#include <takt/adapter/servant.h>

#include <takt/adapter/poa.h>

#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/default_adapter.h"
#include "adapter/poa/upcall.h"

namespace takt::adapter {

void throw_nil_servant() {
  throw CORBA::INV_OBJREF(0, CORBA::COMPLETED_NO, "an operation was called on a nil servant reference");
}

namespace {

// The innermost upcall of this thread on the servant; null if there is none.
const UpcallFrame* upcall_in(const PortableServer::Servant& servant) {
  const UpcallFrame* upcall = UpcallFrame::innermost();
  while (upcall && &servant_of(*upcall) != &servant) upcall = upcall->outer();
  return upcall;
}

}  // namespace
}  // namespace takt::adapter

namespace PortableServer {

Servant::~Servant() = default;

bool Servant::_dispatch(takt::server::ServerCall&) { return false; }
bool Servant::_dispatch_searching(takt::server::ServerCall& call, takt::adapter::OperationSearch search) {
  if (search == takt::adapter::OperationSearch::find) return false;
  call.note_operation(nullptr);
  return _dispatch(call);
}
bool Servant::_dispatch_local(const takt::OperationId&, void*) { return false; }

bool Servant::_is_a(const std::string& repository_id) {
  return repository_id == _repository_id() || repository_id == CORBA::Object::_interface_repository_id();
}
bool Servant::_non_existent() { return false; }
std::string Servant::_repository_id() { return CORBA::Object::_interface_repository_id(); }
std::string Servant::_repository_id_of(const ObjectId&, const CORBA::object_reference<POA>&) {
  return _repository_id();
}
CORBA::object_reference<CORBA::Object> Servant::_get_interface() {
  const auto* const upcall = takt::adapter::upcall_in(*this);
  const auto& describe = upcall ? takt::adapter::poa_of(*upcall).tree.interface_def : nullptr;
  return describe ? describe(_repository_id()) : nullptr;
}
CORBA::object_reference<CORBA::Object> Servant::_get_component() { return nullptr; }

CORBA::object_reference<POA> Servant::_default_POA() {
  if (const auto* upcall = takt::adapter::upcall_in(*this)) return poa_of(*upcall).reference();
  if (const auto poa = takt::adapter::ServantLinks::any_poa(*this)) return poa->reference();
  do {
    if (const auto oldest = takt::adapter::default_root(); oldest.root) return oldest.root->reference();
  } while (takt::adapter::open_default_root());
  throw CORBA::OBJ_ADAPTER(0, CORBA::COMPLETED_NO,
                           "the servant is in no adapter, and the process has no ORB: call ORB_init first");
}

CORBA::servant_reference<Servant> Servant::_lock() {
  return CORBA::servant_reference<Servant>(weak_from_this().lock());
}

CORBA::weak_servant_reference<Servant> Servant::_weak_reference() { return _lock(); }

std::shared_ptr<takt::reference::ObjectRef> Servant::_this_ref() {
  if (const auto* upcall = takt::adapter::upcall_in(*this))
    return poa_of(*upcall)
        .tree
        .reference(poa_of(*upcall), _repository_id(), upcall->key(), takt::adapter::priority_of(*upcall))
        ->_ref();
  try {
    return _default_POA()->servant_to_reference(_lock())->_ref();
  } catch (const CORBA::UserException& failure) {
    throw CORBA::OBJ_ADAPTER(
        0, CORBA::COMPLETED_NO,
        std::string("the servant has no object and its POA gives it none: ") + failure._name());
  }
}

}  // namespace PortableServer
