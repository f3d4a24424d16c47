#include "server/intake/request_intake.h"

#include <utility>

#include "server/bidirectional_connections.h"
#include "server/intake/own_answers.h"
#include "server/intake/request_quality.h"
#include "server/reports.h"

namespace takt::server {

using Kind = giop::EventKind;

namespace {
constexpr std::size_t reply_bytes = 512;
}  // namespace

RequestIntake::RequestIntake(Channel& channel, transport::Stream& stream, Server& server,
                             giop::Connection&& protocol, const RequestFormats* formats)
    : channel_(channel),
      server_(server),
      protocol_(std::move(protocol)),
      formats_(server.environment, &protocol_.memory(), server.protocol.dialect),
      reply_(reply_bytes),
      peer_(stream, server.pipeline.has(Pipeline::Place::tracing)),
      number_(next_connection_number()),
      marks_(server.connections.marks_calls()) {
  reply_.path = &channel;
  if (formats) formats_.take_from(*formats);
}

// Notes the code sets even if the request is refused, because later requests do not repeat them.
Verdict RequestIntake::note(const giop::Event& event, const giop::KnownContexts& known) {
  if (known.offered_number) protocol_.learn(*known.offered_number);
  if (known.compression)
    if (const auto wanted = known.compression->accepted_by(protocol_.methods()))
      channel_.compress_replies(*wanted);
  const bool readable = event.contexts.empty() || formats_.note_code_sets(known.code_sets, event.version);
  if (!known.listen_points.empty() && is_moved_by(event, known.listen_points)) return Verdict::moved;
  if (!readable) return Verdict::code_sets;
  if (event.kind != Kind::refused_request) [[likely]]
    return Verdict::granted;
  return event.fits_later ? Verdict::memory_taken : Verdict::too_long;
}

// Handles the peer's offer that its own objects can be called over this connection.
bool RequestIntake::is_moved_by(const giop::Event& event, ByteView offer) {
  if (!server_.bidirectional || event.version.minor < 2) return false;
  auto points = server_.bidirectional->accepted(offer, peer_.stream);
  return !points.empty() && channel_.take_offer(std::move(points));
}

Verdict RequestIntake::judge(const RequestTimes& times) const {
  const auto now = Clock::now();
  if (times.is_over(now)) return Verdict::too_late;
  const bool too_far = times.start > now && times.start - now > server_.options.hold_timeout.get();
  return too_far ? Verdict::too_early : Verdict::granted;
}

template <class Answer>
bool RequestIntake::answer_at_once(const giop::Event& event, Answer answer) {
  const PresentPeer present(peer_);
  const ReceivedRequest request{context_of(event, -1), {}, 0, formats_.of(event)};
  ServerCall call = request.call(reply_);
  answer(call);
  return !event.response_expected || channel_.send_answer(reply_);
}

bool RequestIntake::refuse(const giop::Event& event, Verdict why) {
  return answer_at_once(event, [&](ServerCall& call) { server::refuse(call, why, server_); });
}

bool RequestIntake::refuse(const giop::Event& event, const CORBA::SystemException& why) {
  return answer_at_once(event, [&](ServerCall& call) { call.system_exception(why); });
}

bool RequestIntake::acknowledge(const giop::Event& event) {
  return answer_at_once(event, [](ServerCall& call) { call.begin_reply(false); });
}

[[gnu::cold, gnu::noinline]] bool RequestIntake::ask_for_key(const giop::Event& event) {
  if (!event.response_expected) return true;
  answer_with_need_of_key(event, formats_.of_reply(event), reply_);
  return channel_.send_answer(reply_);
}

bool RequestIntake::take_other(const giop::Event& event) {
  switch (event.kind) {
    case Kind::locate_request:
      answer_locate(event, formats_.of_reply(event), *server_.dispatcher, reply_);
      return channel_.send_answer(reply_);
    case Kind::refused_request: {
      const Verdict verdict = note(event, giop::known_contexts(event.contexts));
      return verdict != Verdict::moved && refuse(event, verdict);
    }
    case Kind::cancel:  // too late or unknown; answering is still allowed (CORBA 3.0.3, 15.4.4)
      return true;
    case Kind::protocol_error:
      report_version_refused(event, server_);
      channel_.send_message_error();
      return false;
    default:  // close, message_error, and replies that no caller here waits for
      return false;
  }
}

}  // namespace takt::server
