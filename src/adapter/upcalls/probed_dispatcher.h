// The object adapter of a probed ORB: finding the servant in steps that the ORB's log is told of.
#pragma once

#include <memory>
#include <utility>

#include "adapter/upcalls/dispatcher_stage.h"
#include "connection/probes/probe_log.h"

namespace takt::adapter {

class ProbedDispatcher final : public DispatcherStage {
 public:
  ProbedDispatcher(ObjectAdapter& adapter, std::shared_ptr<connection::ProbeLog> log)
      : DispatcherStage(adapter), log_(std::move(log)) {}

  void dispatch(connection::ServerCall& call) noexcept override;

 private:
  const std::shared_ptr<connection::ProbeLog> log_;
};

}  // namespace takt::adapter
