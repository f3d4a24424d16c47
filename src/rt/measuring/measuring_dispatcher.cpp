#include "rt/measuring/measuring_dispatcher.h"

#include <takt/cdr/operation.h>

#include "adapter/resolver/known_servant.h"

namespace takt::rt {

std::string MeasuringDispatcher::interface_of(const ByteView& key) {
  return adapter::KnownServant(adapter_.resolver, key).repository_id();
}

std::string MeasuringDispatcher::interface_for(const server::ServerCall& call) noexcept {
  try {
    return interface_of(call.object_key());
  } catch (...) {  // out of memory: not recorded
    return {};
  }
}

void MeasuringDispatcher::dispatch(server::ServerCall& call) noexcept {
  const std::string interface = interface_for(call);  // the run refers to it
  const ExecutionTimes::Run run(times_, interface, call.operation());
  next().dispatch(call);
}

void MeasuringDispatcher::dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept {
  const std::string interface = interface_for(call);  // the run refers to it
  const ExecutionTimes::Run run(times_, interface, call.operation());
  next().dispatch_early(call, early);
}

reference::LocalAnswer MeasuringDispatcher::call_local(const OperationId& operation, void* arguments,
                                                       const ByteView& object_key) {
  const std::string interface = interface_of(object_key);
  const ExecutionTimes::Run run(times_, interface, operation.name);
  return next().call_local(operation, arguments, object_key);
}

}  // namespace takt::rt
