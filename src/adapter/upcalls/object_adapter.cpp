#include "adapter/upcalls/object_adapter.h"

#include <takt/cdr/operation.h>

#include <type_traits>

#include "adapter/poa/unlisted_exceptions.h"
#include "adapter/poa/upcall.h"
#include "adapter/poa/upcall_observer.h"
#include "adapter/upcalls/built_in_operations.h"
#include "adapter/upcalls/counting_dispatcher.h"
#include "adapter/upcalls/destination.h"
#include "adapter/upcalls/probed_dispatcher.h"
#include "base/step.h"
#include "giop/lite/operation_handle.h"
#include "reference/object_ref.h"
#include "server/intake/request_quality.h"

namespace takt::adapter {

using reference::LocalAnswer;
using reference::LocateAnswer;
using server::ServerCall;

namespace {

// Whether calls need not wait.
bool takes_calls(const PoaCore& poa) { return poa.active() && !poa.policies.serialized(); }

// For servants without a skeleton, and for operations of CORBA::Object.
bool serve_by_name(void* target, ServerCall& call) {
  auto& servant = *static_cast<PortableServer::Servant*>(target);
  if (!servant._dispatch(call)) run_built_in(call, servant);
  return true;
}

[[gnu::always_inline]] inline void run(ServerCall& call, const PoaCore& poa,
                                       PortableServer::Servant& servant) {
  const bool unprobed = poa.search == OperationSearch::perfect && !call.is_probed();
  if (!servant._dispatch_searching(call, unprobed ? OperationSearch::unprobed : poa.search)) [[unlikely]]
    run_built_in(call, servant);
}

[[gnu::cold, gnu::noinline]] void end_leaving(ObjectAdapter& adapter, ActiveObject& object, bool last) {
  adapter.table().left(object, last);
}

// Like Entered, but through the adapter, whose address is at hand, so the table's need not be kept.
class EnteredOpen {
 public:
  EnteredOpen(ObjectAdapter& adapter, ActiveObject& object) : adapter_(adapter), object_(object) {}
  [[gnu::always_inline]] ~EnteredOpen() {
    const bool last = object_.turnstile.leave();
    if (last || adapter_.table().waiting().load() != 0) [[unlikely]]
      end_leaving(adapter_, object_, last);
  }
  EnteredOpen(const EnteredOpen&) = delete;
  EnteredOpen& operator=(const EnteredOpen&) = delete;

 private:
  ObjectAdapter& adapter_;
  ActiveObject& object_;
};

// A local upcall on an active object. Its frame keeps operation and arguments for the operations that every
// object has: these are tried after the servant's, and registers that outlast that call would have to be
// saved.
class LocalUpcall final : public UpcallFrame {
 public:
  LocalUpcall(ActiveObject& object, const ByteView& key, const OperationId& operation, void* arguments)
      : UpcallFrame(&object, key), operation_(&operation), arguments_(arguments) {}
  LocalAnswer run_built_in() {
    return LocalAnswer{run_built_in_here(*operation_, arguments_, servant_of(*this))};
  }

 private:
  const OperationId* operation_;
  void* arguments_;
};

// They take the adapter and the call, so that the usual path keeps no addresses of their parts.
[[gnu::noinline]] inline ActiveObject* enter_by_key(ObjectAdapter& adapter, ServerCall& call) {
  return adapter.resolver.enter(call.object_key());
}
[[gnu::noinline]] inline ActiveObject* leave_and_enter_by_key(ObjectAdapter& adapter, ActiveObject& other,
                                                              ServerCall& call) {
  return adapter.resolver.leave_and_enter(other, call.object_key());
}

// For an ORB whose requests are observed. `object` is entered; the function leaves it.
[[gnu::always_inline]] inline void dispatch_observed(ObjectAdapter& adapter, ServerCall& call,
                                                     ActiveObject& object) {
  const EnteredOpen entered(adapter, object);
  const UpcallFrame upcall(&object, call.object_key());
  if (!UpcallObserver::admits(upcall)) return;
  if (!object.servant->_dispatch(call)) run_built_in(call, *object.servant);
}

// By the skeleton or, if that does not have the operation, as one that every servant has.
[[gnu::always_inline]] inline LocalAnswer run_here(PortableServer::Servant& servant,
                                                   const OperationId& operation, void* arguments) {
  if (servant._dispatch_local(operation, arguments)) [[likely]]
    return LocalAnswer::done;
  return LocalAnswer{run_built_in_here(operation, arguments, servant)};
}

cdr::Ior ior_of(const CORBA::object_reference<CORBA::Object>& reference) {
  if (!reference || !reference->_ref())
    throw CORBA::OBJ_ADAPTER(0, CORBA::COMPLETED_NO, "a servant manager forwards to no object");
  return reference->_ref()->ior();
}

// Servant managers and adapter activators may make the object of any key.
bool may_serve(AdapterTree& tree, const KeyParts& key) {
  PoaSlot* const slot = tree.enter_poa(key);
  if (!slot) return !key.transient && tree.may_have(key.path);
  const PolicySet& policies = slot->poa->policies;
  const bool may = policies.default_servant() || policies.servant_manager() ||
                   Entered(tree.table, tree.table.enter(*slot->poa, key));
  tree.table.leave(*slot);
  return may;
}

// Answers exceptions that no skeleton has caught, mostly from servant managers. If there is not even memory
// for that, there is no answer, and the channel handles it.
[[gnu::cold, gnu::noinline]] void answer_thrown(ServerCall& call) noexcept {
  try {
    answer_exception(call);
  } catch (...) {
    call.discard_answer();
  }
}

}  // namespace

// Handles the usual case, an open object of a plain adapter that takes requests, inline. All other cases end
// in a call, so that few registers are saved. The handlers cost nothing unless an exception is thrown;
// skeletons handle their servants' exceptions.
template <class Probe>
inline void ObjectAdapter::dispatch(ServerCall& call, Probe probe) noexcept {
  constexpr bool counts = std::is_base_of_v<Counting, Probe>;
  TAKT_PROBE(server_parse_key);
  probe(Step::server_parse_key);
  try {
    const ByteView& key = call.object_key();
    ActiveObject* object = resolver.enter_at_once(key, probe);
    if (!object) [[unlikely]]
      object = enter_by_key(*this, call);
    else if (!resolver.names(key, *object)) [[unlikely]]
      object = leave_and_enter_by_key(*this, *object, call);
    if (!object) [[unlikely]] {
      if constexpr (counts) call.note_operation(nullptr);
      return dispatch_to_destination(call);
    }
    if (!object->poa->admits()) [[unlikely]] {
      if constexpr (counts) call.note_operation(nullptr);
      if (std::is_same_v<Probe, NoStepLog> && object->poa->takes_observed())
        return dispatch_observed(*this, call, *object);
      return dispatch_by_policies(call, *object);
    }
    const EnteredOpen entered(*this, *object);
    const UpcallFrame upcall(object, key);
    probe(Step::server_operation_demux);
    if constexpr (std::is_same_v<Probe, Counting>) {
      if (!object->servant->_dispatch_searching(call, OperationSearch::unprobed)) [[unlikely]]
        run_built_in(call, *object->servant);
    } else if constexpr (std::is_same_v<Probe, NoStepLog>) {
      if (!object->servant->_dispatch(call)) [[unlikely]]
        run_built_in(call, *object->servant);
    } else {
      run(call, *object->poa, *object->servant);  // reports when the operation was found
    }
  } catch (...) {
    answer_thrown(call);
  }
}

template void ObjectAdapter::dispatch(ServerCall& call, Counting probe) noexcept;
template void ObjectAdapter::dispatch(ServerCall& call, CountingSteps probe) noexcept;

void ObjectAdapter::dispatch(ServerCall& call) noexcept { dispatch(call, NoStepLog()); }

void ProbedDispatcher::dispatch(ServerCall& call) noexcept {
  log_.begin(Step::server_parse_key, call.request_id(), call.operation());
  call.probe(log_);
  adapter_.dispatch(call, [this](Step step) {
    if (step != Step::server_parse_key) log_.begin(step);
  });
}

// A generation of a slot is one activation of one object, in one adapter: while it is current, key and
// operation lead to the same servant. All ways that end it, such as deactivation or the destruction of the
// adapter, close the turnstile.
void ObjectAdapter::dispatch_by_handle(ServerCall& call, giop::lite::OperationHandle& handle) noexcept {
  auto* const object = static_cast<ActiveObject*>(handle.object);
  if (!object) [[unlikely]]
    return dispatch_and_remember(call, handle, nullptr);
  using State = std::atomic<ManagerCore::State>;
  if (!object->turnstile.enter_known(handle.generation) ||
      static_cast<const State*>(handle.admission)->load() != ManagerCore::State::ACTIVE) [[unlikely]]
    return dispatch_and_remember(call, handle, object);
  {
    const UpcallFrame upcall(object, call.object_key());
    try {
      reinterpret_cast<FromWire>(handle.operation)(handle.servant, call);
    } catch (...) {
      answer_thrown(call);
    }
  }
  const bool last = object->turnstile.leave();
  if (last || table().waiting().load() != 0) [[unlikely]]
    end_leaving(*this, *object, last);
}

// Objects that are not active are never remembered: their default servant or servant manager is asked each
// time. Neither are objects of adapters with policies for upcalls, or of an ORB whose requests are observed.
void ObjectAdapter::dispatch_and_remember(ServerCall& call, giop::lite::OperationHandle& handle,
                                          ActiveObject* stale) noexcept {
  if (stale) table().leave(*stale);
  handle = {};
  try {
    ActiveObject* const object = resolver.enter(call.object_key());
    if (!object) return dispatch_to_destination(call);
    if (!object->poa->admits()) return dispatch_by_policies(call, *object);
    const EnteredOpen entered(*this, *object);
    const UpcallFrame upcall(object, call.object_key());
    remember(call, handle, *object);
    if (!object->servant->_dispatch(call)) run_built_in(call, *object->servant);
  } catch (...) {
    answer_thrown(call);
  }
}

void ObjectAdapter::remember(ServerCall& call, giop::lite::OperationHandle& handle, ActiveObject& object) {
  FoundOperation found;
  call.search_into(found);
  if (!object.servant->_dispatch_searching(call, OperationSearch::find))
    found = {&serve_by_name, object.servant.get()};
  // Read in this order: a closed turnstile names the next generation, and stays closed until all have left.
  const std::uint32_t generation = object.turnstile.generation();
  if (!object.turnstile.is_open()) return;
  handle = {&object, found.servant, reinterpret_cast<void (*)()>(found.from_wire),
            &object.poa->manager->state_word(), generation};
}

// A request that has to wait leaves the object first.
void ObjectAdapter::dispatch_by_policies(ServerCall& call, ActiveObject& object) {
  if (const Entered entered(table(), &object); takes_calls(*object.poa)) {
    const UpcallFrame upcall(&object, call.object_key());
    const ExtendedUpcall extended(object, &call);
    if (!UpcallObserver::admits(upcall)) return;
    return run(call, *object.poa, *object.servant);
  }
  dispatch_to_destination(call);
}

template <class MayBegin>
[[gnu::always_inline]] inline void ObjectAdapter::dispatch_to_destination(ServerCall& call,
                                                                          MayBegin may_begin) {
  ExtendedUpcall extended(&call);
  try {
    Destination destination(resolver, call.object_key(), call.operation(), extended);
    if (server::is_too_late()) [[unlikely]]  // it may have been held
      throw server::too_late(call.operation(), tree().server);
    {
      const AnyUpcall upcall(destination.poa(), destination.object(), destination.servant(),
                             destination.key());
      if (UpcallObserver::admits(upcall) && may_begin()) run(call, destination.poa(), destination.servant());
    }
    if (call.answered()) destination.end();
  } catch (const PortableServer::ForwardRequest& elsewhere) {
    call.forward(ior_of(elsewhere.forward_reference()), false);
  }
}

void ObjectAdapter::dispatch_to_destination(ServerCall& call) {
  dispatch_to_destination(call, [] { return true; });
}

// Active objects take this path as well, so that the usual one need not know of early replies.
[[gnu::cold]] void ObjectAdapter::dispatch_early(ServerCall& call, server::EarlyReply& early) noexcept {
  try {
    dispatch_to_destination(call, [&] { return early.send(call); });
  } catch (...) {
    answer_thrown(call);
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
  LocalUpcall upcall(*object, key, operation, arguments);
  if (object->servant->_dispatch_local(operation, arguments)) [[likely]]
    return LocalAnswer::done;
  return upcall.run_built_in();
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
    if (!UpcallObserver::admits(upcall)) return LocalAnswer::done;
    return run_here(*object->servant, operation, arguments);
  }
  return call_destination_local(operation, arguments, key);
}

LocalAnswer ObjectAdapter::call_destination_local(const OperationId& operation, void* arguments,
                                                  const ByteView& key) {
  if (tree().references.down()) return LocalAnswer::by_wire;
  ExtendedUpcall extended(nullptr);
  try {
    Destination destination(resolver, key, operation.name, extended);
    auto answer = LocalAnswer::done;
    try {
      const AnyUpcall upcall(destination.poa(), destination.object(), destination.servant(),
                             destination.key());
      if (UpcallObserver::admits(upcall)) answer = run_here(destination.servant(), operation, arguments);
    } catch (...) {
      destination.end();
      throw;
    }
    destination.end();
    return answer;
  } catch (const PortableServer::ForwardRequest&) {
    return LocalAnswer::by_wire;  // which follows the forward
  }
}

[[gnu::cold]] int ObjectAdapter::urgency_of(ByteView key, std::int16_t asked) noexcept {
  PoaSlot* slot = nullptr;
  int urgency = 0;
  try {
    const auto alias = tree().keys.read(key) ? nullptr : resolver.aliases.find(key);
    if (alias && alias->_ref()) key = alias->_ref()->local_key();
    const auto parts = tree().keys.read(key);
    if (parts) slot = tree().enter_poa(*parts);
    if (slot && slot->poa->policies.extension) {
      const PoaCore& poa = *slot->poa;
      const Entered object(table(), poa.policies.retain() ? resolver.enter_in(*slot->poa, *parts) : nullptr);
      urgency = poa.policies.extension->urgency_of(asked, object ? object->priority : std::int16_t{-1});
    }
  } catch (...) {  // no memory for the look-up
  }
  if (slot) table().leave(*slot);
  return urgency;
}

// Asks no program code: objects that it could make count as here.
LocateAnswer ObjectAdapter::locate(ByteView key) noexcept {
  try {
    ObjectId own_key;
    const auto target = tree().keys.read(key) ? nullptr : resolver.aliases.find(key);
    if (target) {
      const ByteView local = target->_ref() ? target->_ref()->local_key() : ByteView();
      if (local.empty()) return {LocateAnswer::Status::forward, ior_of(target)};
      own_key.assign(local.begin(), local.end());
      key = own_key;
    }
    if (const Entered object(table(), resolver.enter(key)); object) return {LocateAnswer::Status::here, {}};
    const auto parts = tree().keys.read(key);
    return {parts && may_serve(tree(), *parts) ? LocateAnswer::Status::here : LocateAnswer::Status::unknown,
            {}};
  } catch (...) {
    return {};
  }
}

}  // namespace takt::adapter
