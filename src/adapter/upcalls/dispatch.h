// The object adapter's dispatching, with a probe that gets each step.
#pragma once

#include <type_traits>

#include "adapter/poa/upcall.h"
#include "adapter/poa/upcall_observer.h"
#include "adapter/upcalls/built_in_operations.h"
#include "adapter/upcalls/object_adapter.h"
#include "base/step.h"

namespace takt::adapter {

[[gnu::always_inline]] inline void run(server::ServerCall& call, const PoaCore& poa,
                                       PortableServer::Servant& servant) {
  const bool unprobed = poa.search == OperationSearch::perfect && !call.is_probed();
  if (!servant._dispatch_searching(call, unprobed ? OperationSearch::unprobed : poa.search)) [[unlikely]]
    run_built_in(call, servant);
}

// Answers exceptions that no skeleton has caught, mostly from servant managers. If there is not even memory
// for that, there is no answer, and the channel handles it.
[[gnu::cold, gnu::noinline]] void answer_thrown(server::ServerCall& call) noexcept;

// Like Entered, but through the adapter, whose address is at hand, so the table's need not be kept.
class EnteredOpen {
 public:
  EnteredOpen(ObjectAdapter& adapter, ActiveObject& object) : adapter_(adapter), object_(object) {}
  [[gnu::always_inline]] ~EnteredOpen() { adapter_.table().leave(object_); }
  EnteredOpen(const EnteredOpen&) = delete;
  EnteredOpen& operator=(const EnteredOpen&) = delete;

 private:
  ObjectAdapter& adapter_;
  ActiveObject& object_;
};

// They take the adapter and the call, so that the usual path keeps no addresses of their parts.
[[gnu::noinline]] inline ActiveObject* enter_by_key(ObjectAdapter& adapter, server::ServerCall& call) {
  return adapter.resolver.enter(call.object_key());
}
[[gnu::noinline]] inline ActiveObject* leave_and_enter_by_key(ObjectAdapter& adapter, ActiveObject& other,
                                                              server::ServerCall& call) {
  return adapter.resolver.leave_and_enter(other, call.object_key());
}

// The probe of calls that are counted: notes the operation in the call.
struct Counting {
  void operator()(Step) const {}
};

// The same for calls whose steps are recorded, too.
struct CountingSteps : Counting {
  explicit CountingSteps(StepLog& steps) : log(steps) {}
  void operator()(Step step) const {
    if (step != Step::server_parse_key) log.begin(step);
  }
  StepLog& log;
};

// Handles the usual case, an open object of a plain adapter that takes requests, inline. All other cases end
// in a call, so that few registers are saved. The handlers cost nothing unless an exception is thrown;
// skeletons handle their servants' exceptions.
template <class Probe>
inline void ObjectAdapter::dispatch(server::ServerCall& call, Probe probe) noexcept {
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
      return dispatch_by_policies(call, *object);
    }
    const EnteredOpen entered(*this, *object);
    const UpcallFrame upcall(object, key);
    if (!UpcallObserver::admits(upcall)) [[unlikely]]
      return;
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

}  // namespace takt::adapter
