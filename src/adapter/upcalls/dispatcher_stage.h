// A dispatcher that stands before the object adapter, and does something around each upcall.
#pragma once

#include <takt/connection/server_call.h>

#include "adapter/upcalls/object_adapter.h"
#include "connection/dispatcher.h"

namespace takt::adapter {

// All but dispatch() is the adapter's, which outlives it.
class DispatcherStage : public connection::Dispatcher {
 public:
  explicit DispatcherStage(ObjectAdapter& adapter) : adapter_(adapter) {}

  ObjectAdapter& adapter() const { return adapter_; }

  connection::LocateAnswer locate(ByteView object_key) noexcept override {
    return adapter_.locate(object_key);
  }
  connection::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                     const ByteView& object_key) override {
    return adapter_.call_local(operation, arguments, object_key);
  }

 private:
  ObjectAdapter& adapter_;
};

}  // namespace takt::adapter
