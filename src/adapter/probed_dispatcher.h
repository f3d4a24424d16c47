// The object adapter of a probed ORB: finding the servant in steps that the ORB's log is told of.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "adapter/object_adapter.h"
#include "connection/dispatcher.h"
#include "connection/probes/probe_log.h"

namespace takt::adapter {

// Stands before the adapter, which outlives it.
class ProbedDispatcher final : public connection::Dispatcher {
 public:
  ProbedDispatcher(ObjectAdapter& adapter, std::shared_ptr<connection::ProbeLog> log)
      : adapter_(adapter), log_(std::move(log)) {}

  ObjectAdapter& adapter() const { return adapter_; }

  void dispatch(connection::ServerCall& call) noexcept override;
  connection::LocateAnswer locate(ByteView object_key) noexcept override {
    return adapter_.locate(object_key);
  }
  connection::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                     const ByteView& object_key) override {
    return adapter_.call_local(operation, arguments, object_key);
  }

 private:
  ObjectAdapter& adapter_;
  const std::shared_ptr<connection::ProbeLog> log_;
};

}  // namespace takt::adapter
