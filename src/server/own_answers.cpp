#include "server/own_answers.h"

#include "giop/message/locate.h"
#include "giop/message/reply.h"

namespace takt::server {

RequestContext context_of(const giop::Event& event) {
  return {.request_id = event.request_id,
          .giop_minor = event.version.minor,
          .short_head = event.short_head,
          .response_expected = event.response_expected,
          .object_key = event.object_key,
          .operation = event.operation};
}

void answer_with_need_of_key(const giop::Event& event, const cdr::Format& format, GatherBuffer& reply) {
  reply.clear();
  cdr::Encoder encoder(reply, format);
  giop::write_reply(encoder, event.version, event.request_id, giop::ReplyStatus::needs_addressing_mode, {},
                    true);
  encoder.put(static_cast<std::uint16_t>(giop::Addressing::key));
}

void answer_locate(const giop::Event& event, const cdr::Format& format, Dispatcher& dispatcher,
                   GatherBuffer& reply) {
  const reference::LocateAnswer answer = dispatcher.locate(event.object_key);
  reply.clear();
  cdr::Encoder encoder(reply, format);
  giop::write_locate_reply(encoder, event.version, event.request_id,
                           static_cast<giop::LocateStatus>(answer.status));
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
  return CORBA::NO_MEMORY(
      0, CORBA::COMPLETED_NO,
      "there is no memory for so long a request: the process has none left, or -ORBConnectionMemory or "
      "-ORBServerMemory allows less");
}

}  // namespace

void throw_without_memory(bool fits_later) {
  if (fits_later) throw memory_is_taken();
  throw request_is_too_long();
}

void answer_without_memory(const giop::Event& event, ServerCall& call) {
  if (event.fits_later) return call.system_exception(memory_is_taken());
  call.system_exception(request_is_too_long());
}

void refuse_overload(ServerCall& call) {
  call.system_exception(CORBA::TRANSIENT(
      0, CORBA::COMPLETED_NO,
      "all threads are busy, and as many requests wait as may (-ORBMaxQueuedRequests): try again"));
}

void refuse_code_sets(ServerCall& call) {
  call.system_exception(CORBA::CODESET_INCOMPATIBLE(
      CORBA::omg_minor(2), CORBA::COMPLETED_NO, "the client's code sets are none that this server reads"));
}

}  // namespace takt::server
