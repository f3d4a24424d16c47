#include "interceptors/server/server_stage.h"

#include "interceptors/server/server_flow.h"
#include "invocation/flow_pool.h"

namespace takt::interceptors {

namespace {

using Flows = invocation::FlowPool<ServerFlow>;

// A flow of the calling thread, until its request has ended.
class TakenFlow {
 public:
  TakenFlow() : flow_(Flows::take()) {}
  ~TakenFlow() { Flows::give_back(flow_); }
  TakenFlow(const TakenFlow&) = delete;
  TakenFlow& operator=(const TakenFlow&) = delete;
  ServerFlow& operator*() const { return flow_; }

 private:
  ServerFlow& flow_;
};

}  // namespace

void ServerStage::dispatch(server::ServerCall& call) noexcept {
  const TakenFlow flow;
  (*flow).serve(orb_, call, next());
}

void ServerStage::dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept {
  const TakenFlow flow;
  (*flow).serve_early(orb_, call, early, next());
}

reference::LocalAnswer ServerStage::call_local(const OperationId& operation, void* arguments,
                                               const ByteView& object_key) {
  const TakenFlow flow;
  return (*flow).serve_local(orb_, operation, arguments, object_key, next());
}

}  // namespace takt::interceptors
