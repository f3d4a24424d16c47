// The object adapter of a probed ORB: finding the servant in steps that the ORB's log is told of.
#pragma once

#include "adapter/upcalls/object_adapter.h"
#include "base/step.h"

namespace takt::adapter {

// In the adapter's place, which outlives it.
class ProbedDispatcher final : public server::Dispatcher {
 public:
  ProbedDispatcher(ObjectAdapter& adapter, StepLog& log) : adapter_(adapter), log_(log) {}

  void dispatch(server::ServerCall& call) noexcept override;
  reference::LocateAnswer locate(ByteView object_key) noexcept override {
    return adapter_.locate(object_key);
  }
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override {
    return adapter_.call_local(operation, arguments, object_key);
  }

 private:
  ObjectAdapter& adapter_;
  StepLog& log_;
};

}  // namespace takt::adapter
