// Pipeline stage that measures the execution times of operations.
#pragma once

#include <string>

#include "adapter/upcalls/object_adapter.h"
#include "rt/measuring/execution_times.h"
#include "server/pipeline/pipeline.h"

namespace takt::rt {

// The adapter must outlive it. Measures calls of active objects and default servants, from the time when the
// request was read until its reply is encoded, and local calls. Requests for which a servant manager is asked
// count as left out. Calls by takt::Direct count for their caller.
class MeasuringDispatcher final : public server::Stage {
 public:
  MeasuringDispatcher(adapter::ObjectAdapter& adapter, ExecutionTimes::Time (*clock)())
      : adapter_(adapter), times_(clock) {}

  const ExecutionTimes& times() const { return times_; }

  void dispatch(server::ServerCall& call) noexcept override;
  void dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  // The repository id of the object's servant; empty if it is unknown before the upcall.
  std::string interface_of(const ByteView& key);
  // The same for a request; also empty for lack of memory.
  std::string interface_for(const server::ServerCall& call) noexcept;

  adapter::ObjectAdapter& adapter_;
  ExecutionTimes times_;
};

}  // namespace takt::rt
