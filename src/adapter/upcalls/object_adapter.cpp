#include "adapter/upcalls/object_adapter.h"

#include <takt/adapter/skeleton.h>
#include <takt/cdr/operation.h>

#include <type_traits>

#include "adapter/poa/upcall.h"
#include "adapter/upcalls/destination.h"
#include "adapter/upcalls/dispatch.h"
#include "adapter/upcalls/probed_dispatcher.h"
#include "reference/object_ref.h"
#include "server/request_quality.h"

namespace takt::adapter {

using reference::LocalAnswer;
using reference::LocateAnswer;
using server::ServerCall;

namespace {

// Whether calls need not wait.
bool takes_calls(const PoaCore& poa) { return poa.manager->active() && !poa.policies.serialized(); }

cdr::Ior ior_of(const CORBA::object_reference<CORBA::Object>& reference) {
  if (!reference || !reference->_ref())
    throw CORBA::OBJ_ADAPTER(0, CORBA::COMPLETED_NO, "a servant manager forwards to no object");
  return reference->_ref()->ior();
}

}  // namespace

[[gnu::cold, gnu::noinline]] void answer_thrown(ServerCall& call) noexcept {
  try {
    answer_exception(call, [](ServerCall&, const CORBA::UserException&) { return false; });
  } catch (...) {
    call.discard_answer();
  }
}

void ObjectAdapter::dispatch(ServerCall& call) noexcept { dispatch(call, NoStepLog()); }

void ProbedDispatcher::dispatch(ServerCall& call) noexcept {
  log_.begin(Step::server_parse_key, call.request_id(), call.operation());
  call.probe(log_);
  adapter_.dispatch(call, [this](Step step) {
    if (step != Step::server_parse_key) log_.begin(step);
  });
}

// A request that has to wait leaves the object first.
void ObjectAdapter::dispatch_by_policies(ServerCall& call, ActiveObject& object) {
  if (const Entered entered(table(), &object); takes_calls(*object.poa)) {
    const UpcallFrame upcall(&object, call.object_key());
    const ExtendedUpcall extended(object, &call);
    return run(call, *object.poa, *object.servant);
  }
  dispatch_to_destination(call);
}

void ObjectAdapter::dispatch_to_destination(ServerCall& call) {
  ExtendedUpcall extended(&call);
  try {
    const Destination destination(resolver, call.object_key(), call.operation(), extended);
    if (server::is_too_late()) [[unlikely]]  // it may have been held
      throw server::too_late(call.operation(), tree().server);
    const AnyUpcall upcall(destination.poa(), destination.object(), destination.servant(), destination.key());
    run(call, destination.poa(), destination.servant());
  } catch (const PortableServer::ForwardRequest& elsewhere) {
    call.forward(ior_of(elsewhere.forward_reference()), false);
  }
}

// Like dispatch(). After a shutdown there are no objects, so the usual case need not check for it.
LocalAnswer ObjectAdapter::call_local(const OperationId& operation, void* arguments, const ByteView& key) {
  ActiveObject* const object = resolver.enter_at_once(key);
  if (!object) [[unlikely]]
    return call_local_by_policies(operation, arguments, key);
  if (!resolver.names(key, *object) || !object->poa->admits()) [[unlikely]]
    return leave_and_call_local(operation, arguments, key, *object);
  const EnteredOpen entered(*this, *object);
  const UpcallFrame upcall(object, key);
  return LocalAnswer{object->servant->_dispatch_local(operation, arguments)};
}

LocalAnswer ObjectAdapter::leave_and_call_local(const OperationId& operation, void* arguments,
                                                const ByteView& key, ActiveObject& object) {
  table().leave(object);
  return call_local_by_policies(operation, arguments, key);
}

LocalAnswer ObjectAdapter::call_local_by_policies(const OperationId& operation, void* arguments,
                                                  const ByteView& key) {
  if (const Entered object(table(), resolver.enter(key)); object && takes_calls(*object->poa)) {
    const UpcallFrame upcall(&*object, key);
    const ExtendedUpcall extended(*object, nullptr);
    return LocalAnswer{object->servant->_dispatch_local(operation, arguments)};
  }
  return call_destination_local(operation, arguments, key);
}

LocalAnswer ObjectAdapter::call_destination_local(const OperationId& operation, void* arguments,
                                                  const ByteView& key) {
  if (tree().references.down()) return LocalAnswer::by_wire;
  ExtendedUpcall extended(nullptr);
  try {
    const Destination destination(resolver, key, operation.name, extended);
    const AnyUpcall upcall(destination.poa(), destination.object(), destination.servant(), destination.key());
    return LocalAnswer{destination.servant()._dispatch_local(operation, arguments)};
  } catch (const PortableServer::ForwardRequest&) {
    return LocalAnswer::by_wire;  // which follows the forward
  }
}

// Does not ask servant managers: objects that they could incarnate count as here.
LocateAnswer ObjectAdapter::locate(ByteView key) noexcept {
  try {
    ObjectId own_key;
    if (const auto target = resolver.aliases.find(key)) {
      const ByteView local = target->_ref() ? target->_ref()->local_key() : ByteView();
      if (local.empty()) return {LocateAnswer::Status::forward, ior_of(target)};
      own_key.assign(local.begin(), local.end());
      key = own_key;
    }
    if (const Entered object(table(), resolver.enter(key)); object) return {LocateAnswer::Status::here, {}};
    const auto parts = tree().keys.read(key);
    PoaSlot* slot = parts ? tree().enter_poa(*parts) : nullptr;
    if (!slot) return {};
    const PolicySet& policies = slot->poa->policies;
    const bool here = policies.default_servant() || policies.servant_manager() ||
                      Entered(table(), table().enter(*slot->poa, *parts));
    table().leave(*slot);
    return {here ? LocateAnswer::Status::here : LocateAnswer::Status::unknown, {}};
  } catch (...) {
    return {};
  }
}

}  // namespace takt::adapter
