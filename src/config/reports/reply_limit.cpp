#include "config/reports/reply_limit.h"

#include <exception>

#include "server/intake/answer_path.h"
#include "server/request/request_times.h"

namespace takt::orb {

namespace {

// Callers of this process have no limit. Without memory for the exception, the channel answers
// UNKNOWN.
void limit(server::ServerCall& call, std::size_t most) noexcept {
  const server::AnswerPath* const path = call.answer_path();
  if (!path || path->is_of_this_process()) return;
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
