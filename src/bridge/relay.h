// Requests that are passed on: the dispatcher of a bridge.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "bridge/inner_targets.h"
#include "bridge/reference_rewriter.h"
#include "os/threads/priority_mutex.h"
#include "server/pipeline.h"

namespace takt::reference {
struct Target;
}  // namespace takt::reference

namespace takt::bridge {

// A request for one of the targets is made again there, with the arguments as they came, by the thread that
// serves it; the answer goes back as it came. So whoever waits for a server that stalls is the thread of its
// own client, for as long as the round-trip timeout, and the request's deadline, let it. Forwarding is
// followed here: a client sees no address but the bridge's. Requests for other keys
// are for the ORB's own objects.
class Relay final : public server::Stage {
 public:
  // They outlive it. `rewriting`: nothing for bodies that pass as octets.
  Relay(reference::References& references, std::optional<Rewriting> rewriting = {});

  InnerTargets& targets() { return targets_; }
  // Null: references pass as they are.
  const ReferenceRewriter* rewriter() const { return rewriter_.get(); }
  // References to the target's addresses are rewritten.
  void lies_inside(const reference::Target& target);

  // Counted since it was made.
  struct Counts {
    std::atomic<std::uint64_t> requests{0};       // passed on
    std::atomic<std::uint64_t> replies{0};        // passed back, exceptions of servers among them
    std::atomic<std::uint64_t> failures{0};       // the target could not be reached, or not in time
    std::atomic<std::uint64_t> request_bytes{0};  // of bodies
    std::atomic<std::uint64_t> reply_bytes{0};
  };
  const Counts& counts() const { return counts_; }
  // What the last failure was; empty: there was none.
  std::string last_failure() const;

  void dispatch(server::ServerCall& call) noexcept override;
  // Of a target it is said that it is here: whether its server has it, the request itself finds out.
  reference::LocateAnswer locate(ByteView object_key) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  void pass_on(const InnerTargets::Found& target, server::ServerCall& call);
  void fail(server::ServerCall& call, const CORBA::SystemException& failure);

  InnerTargets targets_;
  const std::unique_ptr<ReferenceRewriter> rewriter_;
  Counts counts_;
  mutable os::PriorityMutex mutex_;
  std::string last_failure_;
};

}  // namespace takt::bridge
