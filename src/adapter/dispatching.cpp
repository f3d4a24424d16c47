// From a request to its upcall.
#include "adapter/built_in_operations.h"
#include "adapter/destination.h"
#include "adapter/object_adapter.h"
#include "adapter/probed_dispatcher.h"
#include "adapter/upcall.h"
#include "connection/object_ref.h"
#include "connection/policies/request_quality.h"

namespace takt::adapter {

using connection::LocalAnswer;
using connection::LocateAnswer;
using connection::ServerCall;
using connection::Step;

namespace {

void run(ServerCall& call, const PoaCore& poa, PortableServer::Servant& servant) {
  call.search_by(poa.search);
  if (!servant._dispatch(call)) [[unlikely]]
    run_built_in(call, servant);
}

LocalAnswer answer_if(bool ran) { return ran ? LocalAnswer::done : LocalAnswer::by_wire; }

cdr::Ior ior_of(const CORBA::object_reference<CORBA::Object>& reference) {
  if (!reference || !reference->_ref())
    throw CORBA::OBJ_ADAPTER(0, CORBA::COMPLETED_NO, "a servant manager forwards to no object");
  return reference->_ref()->ior();
}

}  // namespace

// The usual case, an open object of an adapter that takes requests, is here in full. The handlers cost
// nothing unless something is thrown; skeletons answer with their servant's exceptions themselves.
template <class Probe>
inline void ObjectAdapter::dispatch(ServerCall& call, Probe probe) noexcept {
  TAKT_PROBE(server_parse_key);
  probe(Step::server_parse_key);
  try {
    const ByteView key = call.object_key();
    if (const Entered object(*this, enter(key, probe)); object && object->poa->admits()) [[likely]] {
      const Upcall upcall(*object->poa, &*object, *object->servant, key, &call);
      probe(Step::server_operation_demux);
      run(call, *object->poa, *object->servant);
      return;
    }
    dispatch_slowly(call);
  } catch (const CORBA::SystemException& failure) {
    call.system_exception(failure);
  } catch (...) {
    call.system_exception(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE));
  }
}

void ObjectAdapter::dispatch(ServerCall& call) noexcept { dispatch(call, connection::Unprobed()); }

void ProbedDispatcher::dispatch(ServerCall& call) noexcept {
  log_->begin(Step::server_parse_key, call.request_id(), call.operation());
  call.probe();
  adapter_.dispatch(call, [this](Step step) {
    if (step != Step::server_parse_key) log_->begin(step);
  });
}

void ObjectAdapter::dispatch_slowly(ServerCall& call) {
  try {
    const Destination destination(*this, call.object_key(), call.operation());
    connection::refuse_if_too_late(core);  // it may have been held
    const Upcall upcall(destination.poa(), destination.object(), destination.servant(), destination.key(),
                        &call);
    run(call, destination.poa(), destination.servant());
  } catch (const PortableServer::ForwardRequest& elsewhere) {
    call.forward(ior_of(elsewhere.forward_reference()), false);
  }
}

LocalAnswer ObjectAdapter::call_local(ByteView key, std::string_view operation, const void* operation_id,
                                      void* arguments) {
  if (core.down()) [[unlikely]]
    return LocalAnswer::by_wire;
  if (const Entered object(*this, enter(key)); object && object->poa->admits()) [[likely]] {
    const Upcall upcall(*object->poa, &*object, *object->servant, key, nullptr);
    return answer_if(object->servant->_dispatch_local(operation, operation_id, arguments));
  }
  return call_local_slowly(key, operation, operation_id, arguments);
}

LocalAnswer ObjectAdapter::call_local_slowly(ByteView key, std::string_view operation,
                                             const void* operation_id, void* arguments) {
  try {
    const Destination destination(*this, key, operation);
    const Upcall upcall(destination.poa(), destination.object(), destination.servant(), destination.key(),
                        nullptr);
    return answer_if(destination.servant()._dispatch_local(operation, operation_id, arguments));
  } catch (const PortableServer::ForwardRequest&) {
    return LocalAnswer::by_wire;  // which follows the forward
  }
}

// Servant managers are not asked: what they could incarnate counts as here.
LocateAnswer ObjectAdapter::locate(ByteView key) noexcept {
  try {
    ObjectId own_key;
    if (const auto target = aliases.find(key)) {
      const ByteView local = target->_ref() ? target->_ref()->local_key() : ByteView();
      if (local.empty()) return {LocateAnswer::Status::forward, ior_of(target)};
      own_key.assign(local.begin(), local.end());
      key = own_key;
    }
    if (const Entered object(*this, enter(key)); object) return {LocateAnswer::Status::here, {}};
    const auto parts = keys.read(key);
    PoaSlot* slot = parts ? enter_poa(*parts) : nullptr;
    if (!slot) return {};
    const PolicySet& policies = slot->poa->policies;
    const bool here =
        policies.default_servant() || policies.servant_manager() || Entered(*this, enter(*slot->poa, *parts));
    leave(*slot);
    return {here ? LocateAnswer::Status::here : LocateAnswer::Status::unknown, {}};
  } catch (...) {
    return {};
  }
}

}  // namespace takt::adapter
