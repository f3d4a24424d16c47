// The object adapter of an ORB that measures how long operations run.
#pragma once

#include <string>

#include "adapter/measuring/execution_times.h"
#include "adapter/object_adapter.h"
#include "connection/dispatcher.h"

namespace takt::adapter {

// Stands before `next`, which leads to the adapter; both outlive it. Measures calls of active objects, from
// where the request has been read to where its reply has been encoded, and calls within the process. What
// servant managers and default servants serve counts as left out, and calls by takt::Direct are their
// caller's.
class MeasuringDispatcher final : public connection::Dispatcher {
 public:
  MeasuringDispatcher(connection::Dispatcher& next, ObjectAdapter& adapter, ExecutionTimes::Time (*clock)())
      : next_(next), adapter_(adapter), times_(clock) {}

  ObjectAdapter& adapter() const { return adapter_; }
  const ExecutionTimes& times() const { return times_; }

  void dispatch(connection::ServerCall& call) noexcept override;
  connection::LocateAnswer locate(ByteView object_key) noexcept override { return next_.locate(object_key); }
  connection::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                     const ByteView& object_key) override;

 private:
  // Of the object's servant; empty where the object is not active.
  std::string interface_of(const ByteView& key);

  connection::Dispatcher& next_;
  ObjectAdapter& adapter_;
  ExecutionTimes times_;
};

}  // namespace takt::adapter
