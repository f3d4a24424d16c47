// The limit of the length of replies (-ORBMaxReplySize).
#pragma once

#include <cstddef>

#include "server/pipeline/pipeline.h"

namespace takt::orb {

// Pipeline stage that answers MARSHAL in place of replies that are too long. It is there only if replies have
// a limit, so that other servers have no cost. Calls within the process have no limit.
class ReplyLimit final : public server::Stage {
 public:
  explicit ReplyLimit(std::size_t most) : most_(most) {}

  void dispatch(server::ServerCall& call) noexcept override;
  void dispatch_by_handle(server::ServerCall& call, giop::lite::OperationHandle& handle) noexcept override;
  // Only the early reply is sent, which is short.
  void dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept override;

 private:
  const std::size_t most_;
};

}  // namespace takt::orb
