#include "interceptors/server/server_stage.h"

#include "interceptors/common/slots.h"
#include "interceptors/server/server_flow.h"

namespace takt::interceptors {

void ServerStage::dispatch(server::ServerCall& call) noexcept { ServerFlow::serve(orb_, call, next()); }

void StatefulServerStage::dispatch(server::ServerCall& call) noexcept {
  ServerFlow::serve_any(orb(), call, next());
}

void ServerStage::dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept {
  ServerFlow::serve_early(orb_, call, early, next());
}

reference::LocalAnswer ServerStage::call_local(const OperationId& operation, void* arguments,
                                               const ByteView& object_key) {
  return ServerFlow::serve_local(orb_, operation, arguments, object_key, next());
}

void SlotStage::dispatch(server::ServerCall& call) noexcept {
  const SlotsEmptied emptied(orb_.serial);
  next().dispatch(call);
}

void SlotStage::dispatch_by_handle(server::ServerCall& call, giop::lite::OperationHandle& handle) noexcept {
  const SlotsEmptied emptied(orb_.serial);
  next().dispatch_by_handle(call, handle);
}

void SlotStage::dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept {
  const SlotsEmptied emptied(orb_.serial);
  next().dispatch_early(call, early);
}

reference::LocalAnswer SlotStage::call_local(const OperationId& operation, void* arguments,
                                             const ByteView& object_key) {
  const SlotsEmptied emptied(orb_.serial);
  return next().call_local(operation, arguments, object_key);
}

}  // namespace takt::interceptors
