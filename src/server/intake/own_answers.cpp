#include "server/intake/own_answers.h"

#include "giop/message/locate.h"
#include "giop/message/reply.h"
#include "server/intake/request_log.h"
#include "server/intake/request_quality.h"
#include "server/request/request_times.h"

namespace takt::server {

void answer_with_need_of_key(const giop::Event& event, const cdr::Format& format, GatherBuffer& reply) {
  reply.clear();
  cdr::Encoder encoder(reply, format);
  giop::write_reply(
      encoder, event.version,
      {.request_id = event.request_id, .status = giop::ReplyStatus::needs_addressing_mode, .has_body = true});
  encoder.put(static_cast<std::uint16_t>(giop::Addressing::key));
}

void answer_locate(const giop::Event& event, const cdr::Format& format, Dispatcher& dispatcher,
                   GatherBuffer& reply) {
  const reference::LocateAnswer answer = dispatcher.locate(event.object_key);
  const auto status = event.key_unknown ? giop::LocateStatus::needs_addressing_mode
                                        : static_cast<giop::LocateStatus>(answer.status);
  reply.clear();
  cdr::Encoder encoder(reply, format);
  giop::write_locate_reply(encoder, event.version, event.request_id, status);
  if (event.key_unknown) return encoder.put(static_cast<std::uint16_t>(giop::Addressing::key));
  if (answer.status == reference::LocateAnswer::Status::forward) cdr::write_ior(encoder, answer.target);
}

namespace {

CORBA::TRANSIENT memory_is_taken() {
  return CORBA::TRANSIENT(
      0, CORBA::COMPLETED_NO,
      "other requests have the memory that -ORBConnectionMemory or -ORBServerMemory allows for what "
      "clients send");
}
CORBA::NO_MEMORY request_is_too_long() {
  return CORBA::NO_MEMORY(0, CORBA::COMPLETED_NO,
                          "there is no memory for a request of this length: the process has none left, or "
                          "-ORBConnectionMemory or -ORBServerMemory allows less");
}

}  // namespace

void throw_without_memory(bool fits_later) {
  if (fits_later) throw memory_is_taken();
  throw request_is_too_long();
}

void refuse(ServerCall& call, Verdict why, Server& server) {
  log_refused(call, why, server);
  switch (why) {
    case Verdict::granted:
    case Verdict::moved:
      return;
    case Verdict::too_late:
      return answer_too_late(call, server);
    case Verdict::too_early:
      return answer_too_early(call);
    case Verdict::code_sets:
      return call.system_exception(CORBA::CODESET_INCOMPATIBLE(
          CORBA::omg_minor(2), CORBA::COMPLETED_NO, "this server cannot read the client's code sets"));
    case Verdict::memory_taken:
      return call.system_exception(memory_is_taken());
    case Verdict::too_long:
      return call.system_exception(request_is_too_long());
    case Verdict::queue_full:
      return call.system_exception(CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                                                    "all threads are busy, and the limit of waiting requests "
                                                    "is reached (-ORBMaxQueuedRequests): try again"));
    case Verdict::too_many_pending:
      return call.system_exception(CORBA::TRANSIENT(
          0, CORBA::COMPLETED_NO, "the limit of pending requests of this connection is reached"));
  }
}

void answer_unknown(ServerCall& call) { call.system_exception(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE)); }

}  // namespace takt::server
