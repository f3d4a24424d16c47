// What a server answers by itself, without an upcall.
#pragma once

#include <takt/base/gather_buffer.h>
#include <takt/cdr/format.h>
#include <takt/server/server_call.h>

#include "giop/message/event.h"
#include "server/dispatcher.h"

namespace takt::server {

// Each replaces what is in `reply`, which is encoded as `format` says. May allocate.

// What an answer depends on that needs neither the request's priority nor its contexts.
RequestContext context_of(const giop::Event& event);
// The target was named by a profile that is none of ours: only its key can help.
void answer_with_need_of_key(const giop::Event& event, const cdr::Format& format, GatherBuffer& reply);
void answer_locate(const giop::Event& event, const cdr::Format& format, Dispatcher& dispatcher,
                   GatherBuffer& reply);
void refuse_code_sets(ServerCall& call);
// There is no memory for a request: TRANSIENT if there may be some later, else NO_MEMORY; neither completed.
[[noreturn]] void throw_without_memory(bool fits_later);
// Answers a refused_request so.
void answer_without_memory(const giop::Event& event, ServerCall& call);
// As many requests wait for a thread as may.
void refuse_overload(ServerCall& call);

}  // namespace takt::server
