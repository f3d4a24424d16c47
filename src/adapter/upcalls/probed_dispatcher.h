// The object adapter of a probed ORB; records the steps of finding the servant.
#pragma once

#include "adapter/upcalls/object_adapter.h"
#include "base/step.h"

namespace takt::adapter {

// Takes the adapter's place; the adapter must outlive it.
class ProbedDispatcher final : public server::Dispatcher {
 public:
  ProbedDispatcher(ObjectAdapter& adapter, StepLog& log) : adapter_(adapter), log_(log) {}

  void dispatch(server::ServerCall& call) noexcept override;
  // The steps are not recorded.
  void dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept override {
    adapter_.dispatch_early(call, early);
  }
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
