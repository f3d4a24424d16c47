// What a server answers by itself, without an upcall.
#pragma once

#include <takt/base/gather_buffer.h>
#include <takt/cdr/format.h>
#include <takt/server/server_call.h>

#include "giop/message/event.h"
#include "server/dispatcher.h"
#include "server/verdict.h"

namespace takt::server {

class Server;

// Each replaces what is in `reply`, which is encoded as `format` says. May allocate.

// The target was named by a profile that is none of ours: only its key can help.
void answer_with_need_of_key(const giop::Event& event, const cdr::Format& format, GatherBuffer& reply);
void answer_locate(const giop::Event& event, const cdr::Format& format, Dispatcher& dispatcher,
                   GatherBuffer& reply);
// There is no memory for a request: TRANSIENT if there may be some later, else NO_MEMORY; neither completed.
[[noreturn]] void throw_without_memory(bool fits_later);
// Answers a request that is not dispatched with the reason why; nothing for those that are.
[[gnu::cold]] void refuse(ServerCall& call, Verdict why, Server& server);
// Answers a call that nobody has answered.
[[gnu::cold]] void answer_unknown(ServerCall& call);

}  // namespace takt::server
