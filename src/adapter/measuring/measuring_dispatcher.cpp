#include "adapter/measuring/measuring_dispatcher.h"

#include <takt/cdr/operation.h>

namespace takt::adapter {

std::string MeasuringDispatcher::interface_of(const ByteView& key) {
  const Entered object(adapter_.table(), adapter_.resolver.enter(key));
  return object ? object->servant->_repository_id() : std::string();
}

void MeasuringDispatcher::dispatch(server::ServerCall& call) noexcept {
  std::string interface;
  try {
    interface = interface_of(call.object_key());
  } catch (...) {  // out of memory: not recorded
  }
  const ExecutionTimes::Run run(times_, interface, call.operation());
  next().dispatch(call);
}

reference::LocalAnswer MeasuringDispatcher::call_local(const OperationId& operation, void* arguments,
                                                       const ByteView& object_key) {
  const std::string interface = interface_of(object_key);
  const ExecutionTimes::Run run(times_, interface, operation.name);
  return next().call_local(operation, arguments, object_key);
}

}  // namespace takt::adapter
