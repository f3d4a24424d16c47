// The dispatcher of a bridge, which relays requests.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "bridge/inner_targets.h"
#include "bridge/reference_rewriter.h"
#include "server/pipeline/pipeline.h"
#include "server/relay_counts.h"
#include "threads/locks/priority_mutex.h"

namespace takt::reference {
struct Target;
}  // namespace takt::reference

namespace takt::bridge {

// Repeats a request for a target there, with its arguments unchanged, in the thread that serves it. The
// answer is returned unchanged. So only the thread of a client waits for its stalled server, bounded by the
// round-trip timeout and the request's deadline. The bridge follows location forwards itself: a client sees
// only the bridge's addresses. Requests for other keys go to the ORB's own objects.
class Relay final : public server::Stage {
 public:
  // `references` must outlive it. Without `rewriting`, all bodies pass as octets.
  Relay(reference::References& references, std::optional<Rewriting> rewriting = {});

  InnerTargets& targets() { return targets_; }
  // Null if references pass unchanged.
  const ReferenceRewriter* rewriter() const { return rewriter_.get(); }
  // Treats the addresses of `target` as inside, so that references to them are rewritten.
  void add_inside(const reference::Target& target);

  const server::RelayCounts& counts() const { return counts_; }
  // The text of the last failure; empty if there was none.
  std::string last_failure() const;

  void dispatch(server::ServerCall& call) noexcept override;
  // Targets are always reported as here: the request itself finds out whether the server has the object.
  reference::LocateAnswer locate(ByteView object_key) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  void pass_on(const InnerTargets::Found& target, server::ServerCall& call);
  void fail(server::ServerCall& call, const CORBA::SystemException& failure);

  InnerTargets targets_;
  const std::unique_ptr<ReferenceRewriter> rewriter_;
  server::RelayCounts counts_;
  mutable os::PriorityMutex mutex_;
  std::string last_failure_;
};

}  // namespace takt::bridge
