// The object adapter of an ORB that measures how long operations run.
#pragma once

#include <string>

#include "adapter/measuring/execution_times.h"
#include "adapter/upcalls/object_adapter.h"
#include "server/pipeline.h"

namespace takt::adapter {

// Outlived by the adapter. Measures calls of active objects, from
// where the request has been read to where its reply has been encoded, and calls within the process. What
// servant managers and default servants serve counts as left out, and calls by takt::Direct are their
// caller's.
class MeasuringDispatcher final : public server::Stage {
 public:
  MeasuringDispatcher(ObjectAdapter& adapter, ExecutionTimes::Time (*clock)())
      : adapter_(adapter), times_(clock) {}

  const ExecutionTimes& times() const { return times_; }

  void dispatch(server::ServerCall& call) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  // Of the object's servant; empty where the object is not active.
  std::string interface_of(const ByteView& key);

  ObjectAdapter& adapter_;
  ExecutionTimes times_;
};

}  // namespace takt::adapter
