#include "connection/server/own_answers.h"

#include "connection/server/request_formats.h"
#include "giop/code_set_negotiation.h"
#include "giop/locate.h"
#include "giop/reply.h"

namespace takt::connection {

bool RequestFormats::note_code_sets(const giop::Event& event) {
  if (event.version.minor == 0) return true;
  if (auto chosen = giop::code_sets_of(event.contexts)) code_sets_ = std::move(*chosen);
  return cdr::can_convert(code_sets_);
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
  const LocateAnswer answer = dispatcher.locate(event.object_key);
  reply.clear();
  cdr::Encoder encoder(reply, format);
  giop::write_locate_reply(encoder, event.version, event.request_id,
                           static_cast<giop::LocateStatus>(answer.status));
  if (answer.status == LocateAnswer::Status::forward) cdr::write_ior(encoder, answer.target);
}

void refuse_code_sets(ServerCall& call) {
  call.system_exception(CORBA::CODESET_INCOMPATIBLE(
      CORBA::omg_minor(2), CORBA::COMPLETED_NO, "the client's code sets are none that this server reads"));
}

}  // namespace takt::connection
