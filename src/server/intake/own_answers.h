// Answers that a server makes itself, without an upcall.
#pragma once

#include <takt/base/gather_buffer.h>
#include <takt/cdr/format.h>
#include <takt/server/server_call.h>

#include "giop/message/event.h"
#include "server/pipeline/dispatcher.h"
#include "server/request/verdict.h"

namespace takt::server {

class Server;

// The functions with `reply` replace its content with a message in `format`. May allocate.

// Asks the client to name the target by its object key, because the profile that it sent is not one of ours.
void answer_with_need_of_key(const giop::Event& event, const cdr::Format& format, GatherBuffer& reply);
void answer_locate(const giop::Event& event, const cdr::Format& format, Dispatcher& dispatcher,
                   GatherBuffer& reply);
// Throws the exception for a request without memory: TRANSIENT if there may be memory later, else NO_MEMORY.
// Both have COMPLETED_NO.
[[noreturn]] void throw_without_memory(bool fits_later);
// Answers a request that is not dispatched with the reason. Does nothing for `granted` and `moved`.
[[gnu::cold]] void refuse(ServerCall& call, Verdict why, Server& server);
// Answers UNKNOWN to a call that its upcall has not answered.
[[gnu::cold]] void answer_unknown(ServerCall& call);

}  // namespace takt::server
