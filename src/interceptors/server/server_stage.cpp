#include "interceptors/server/server_stage.h"

#include "interceptors/server/server_flow.h"

namespace takt::interceptors {

void ServerStage::dispatch(server::ServerCall& call) noexcept { ServerFlow::serve(orb_, call, next()); }

void SpecialServerStage::dispatch(server::ServerCall& call) noexcept {
  ServerFlow::serve_specially(orb(), call, next());
}

void ServerStage::dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept {
  ServerFlow::serve_early(orb_, call, early, next());
}

reference::LocalAnswer ServerStage::call_local(const OperationId& operation, void* arguments,
                                               const ByteView& object_key) {
  return ServerFlow::serve_local(orb_, operation, arguments, object_key, next());
}

}  // namespace takt::interceptors
