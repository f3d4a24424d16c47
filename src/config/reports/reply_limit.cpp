#include "config/reports/reply_limit.h"

#include <exception>

#include "server/request/request_times.h"

namespace takt::orb {

namespace {

// A caller of this process has no path for answers. Without memory for the exception, the channel answers
// UNKNOWN.
void limit(server::ServerCall& call, std::size_t most) noexcept {
  if (!call.answer_path()) return;
  try {
    server::refuse_long_reply(call, most);
  } catch (const std::exception&) {
    call.discard_answer();
  }
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
