#include "interceptors/server/server_stage.h"

#include <cstddef>
#include <memory>
#include <vector>

#include "interceptors/server/server_flow.h"

namespace takt::interceptors {

namespace {

// A flow of the calling thread, until its request has ended. Requests of a thread end in the reverse order of
// their beginning.
class TakenFlow {
 public:
  TakenFlow() : flows_(mine()) {
    if (flows_.used == flows_.all.size()) flows_.all.push_back(std::make_unique<ServerFlow>());
    ++flows_.used;
  }
  ~TakenFlow() { --flows_.used; }
  TakenFlow(const TakenFlow&) = delete;
  TakenFlow& operator=(const TakenFlow&) = delete;
  ServerFlow& operator*() const { return *flows_.all[flows_.used - 1]; }

 private:
  struct Flows {
    std::vector<std::unique_ptr<ServerFlow>> all;
    std::size_t used = 0;
  };
  static Flows& mine() {
    thread_local Flows flows;
    return flows;
  }
  Flows& flows_;
};

}  // namespace

void ServerStage::dispatch(server::ServerCall& call) noexcept {
  const TakenFlow flow;
  (*flow).serve(orb_, call, next());
}

void ServerStage::dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept {
  const TakenFlow flow;
  (*flow).serve_early(orb_, call, early, next());
}

reference::LocalAnswer ServerStage::call_local(const OperationId& operation, void* arguments,
                                               const ByteView& object_key) {
  const TakenFlow flow;
  return (*flow).serve_local(orb_, operation, arguments, object_key, next());
}

}  // namespace takt::interceptors
