// The place of server interceptors among the dispatchers of an ORB.
#pragma once

#include "interceptors/common/orb_interceptors.h"
#include "server/pipeline/pipeline.h"

namespace takt::interceptors {

// For requests that are plain (OrbInterceptors::plain_requests).
class ServerStage : public server::Stage {
 public:
  explicit ServerStage(OrbInterceptors& orb) : orb_(orb) {}

  void dispatch(server::ServerCall& call) noexcept override;
  void dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 protected:
  OrbInterceptors& orb() const { return orb_; }

 private:
  OrbInterceptors& orb_;
};

// For all requests: each flow has its state from the start.
class StatefulServerStage final : public ServerStage {
 public:
  using ServerStage::ServerStage;
  void dispatch(server::ServerCall& call) noexcept override;
};

// For an ORB with slots and without server interceptors: each request begins with empty slots, and leaves
// those of its thread as they were.
class SlotStage final : public server::Stage {
 public:
  explicit SlotStage(const OrbInterceptors& orb) : orb_(orb) {}

  void dispatch(server::ServerCall& call) noexcept override;
  void dispatch_by_handle(server::ServerCall& call, giop::lite::OperationHandle& handle) noexcept override;
  void dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  const OrbInterceptors& orb_;
};

}  // namespace takt::interceptors
