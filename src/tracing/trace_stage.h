// The server's side of tracing: a span for each request of a trace that is recorded.
#pragma once

#include "server/pipeline/pipeline.h"
#include "tracing/tracer.h"

namespace takt::tracing {

class TraceStage final : public server::Stage {
 public:
  // `tracer` must outlive the last request.
  explicit TraceStage(Tracer& tracer) : tracer_(tracer) {}

  void dispatch(server::ServerCall& call) noexcept override;
  void dispatch_by_handle(server::ServerCall& call, giop::lite::OperationHandle& handle) noexcept override;
  void dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  template <class Dispatch>
  void serve(server::ServerCall& call, Dispatch dispatch);

  Tracer& tracer_;
};

}  // namespace takt::tracing
