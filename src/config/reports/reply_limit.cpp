#include "config/reports/reply_limit.h"

#include "server/request/request_times.h"

namespace takt::orb {

namespace {

// A caller of this process has no path for answers.
void limit(server::ServerCall& call, std::size_t most) {
  if (call.answer_path()) server::refuse_long_reply(call, most);
}

}  // namespace

void ReplyLimit::dispatch(server::ServerCall& call) noexcept {
  next().dispatch(call);
  limit(call, most_);
}

void ReplyLimit::dispatch_by_handle(server::ServerCall& call, giop::lite::OperationHandle& handle) noexcept {
  next().dispatch_by_handle(call, handle);
  limit(call, most_);
}

void ReplyLimit::dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept {
  next().dispatch_early(call, early);
}

}  // namespace takt::orb
