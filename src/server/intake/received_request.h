// A request that can be dispatched, and its conversion to a ServerCall.
#pragma once

#include <atomic>
#include <cstddef>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>
#include <takt/cdr/format.h>
#include <takt/server/server_call.h>

#include "giop/message/event.h"
#include "server/intake/own_answers.h"
#include "server/pipeline/dispatcher.h"
#include "server/request/request_times.h"
#include "server/request/verdict.h"
#include "server/server.h"

namespace takt::server {

// Has views into the event.
[[gnu::always_inline]] inline RequestContext context_of(const giop::Event& event, std::int16_t priority) {
  return {.request_id = event.request_id,
          .giop_minor = event.version.minor,
          .short_head = event.short_head,
          .response_expected = event.response_expected,
          .object_key = event.object_key,
          .operation = event.operation,
          .priority = priority,
          .contexts = &event.contexts};
}

// The views and the format are valid as long as the receive buffer or queued request that holds them.
struct ReceivedRequest {
  RequestContext context;
  ByteView body;
  std::size_t body_index = 0;
  const cdr::Format& format;

  // `reply` must outlive the call.
  template <class Buffer>
  ServerCall call(Buffer& reply) const {
    return {context, body, body_index, format, reply};
  }
};

// The same for an event that is served in place, without copying the request.
[[gnu::always_inline]] inline ServerCall call_for(const giop::Event& event, std::int16_t priority,
                                                  const cdr::Format& format, ReplyBuffer& reply) {
  return {context_of(event, priority), event.body, event.body_index, format, reply};
}

// Runs the upcall, or answers with the reason why it does not run. `times`: null if the request has none.
[[gnu::always_inline]] inline void dispatch(ServerCall& call, Verdict verdict, const RequestTimes* times,
                                            Server& server) {
  if (verdict != Verdict::granted) [[unlikely]]
    return refuse(call, verdict, server);
  server.dispatcher.load(std::memory_order_relaxed)->dispatch(call);
  if (times) [[unlikely]]
    refuse_late_reply(call, *times);
}

// The same for a request with an early reply.
[[gnu::cold]] inline void dispatch_early(ServerCall& call, Verdict verdict, EarlyReply& early,
                                         Server& server) {
  if (verdict != Verdict::granted) return refuse(call, verdict, server);
  server.dispatcher.load()->dispatch_early(call, early);
}

}  // namespace takt::server
