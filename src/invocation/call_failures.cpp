// How a call that went wrong is told: in the log, and as an exception.
#include <takt/invocation/client_call.h>

#include <new>
#include <string>

#include "base/event_log.h"
#include "client/channel/failure.h"
#include "client/thread_channels.h"
#include "giop/message/system_exception.h"
#include "invocation/intercepted_calls.h"
#include "reference/object_ref.h"

namespace takt::invocation {

[[gnu::cold]] void throw_forwarded_too_often() {
  throw CORBA::TRANSIENT(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                         "the call was forwarded more often than -ORBMaxRedirections allows: do the "
                         "servers forward to each other?");
}

// For paths that are slow anyway.
[[gnu::cold]] void ClientCall::note(LogEvent event, const std::string& peer,
                                    const std::string& reason) const {
  EventLog* const log = client::client_of(*ref_->references()).log.get();
  if (takes(log, event))
    log->write({.event = event, .peer = peer, .operation = operation_, .reason = reason});
}

void ClientCall::throw_system_exception(cdr::Decoder& reply, After after) {
  giop::SystemExceptionBody body;
  const bool readable = giop::read_system_exception(reply, body);
  const std::string channel = channel_->describe();
  const auto used = client::ThreadChannels::mine().target_of(*ref_);
  if (readable) client::note_missing_object(body, *ref_, used.get());
  const ByteView key = client::key_of(*ref_, used.get());
  note(LogEvent::call_failed, channel,
       readable ? "the server raised " + body.id : "an unreadable system exception");
  if (after == After::releases) release();
  if (!readable)
    client::throw_unreadable_reply("the system exception", CORBA::COMPLETED_MAYBE, operation_, channel);
  client::throw_raised_by_server(body, key, operation_, channel);
}

void ClientCall::throw_unlisted_exception() {
  const std::string id(exception_id_);
  release();
  client::throw_unlisted_exception(id);
}

// Octets behind the results are no error: a later version of the IDL may have added them.
[[gnu::cold, gnu::noinline]] void ClientCall::note_octets_left() const noexcept {
  const std::size_t left = reply_->ok() ? reply_->remaining() : 0;
  if (left == 0) return;
  try {
    log_octets_left(client::client_of(*ref_->references()).log.get(), "reply", left, operation_,
                    channel_->describe());
  } catch (const std::bad_alloc&) {  // the line is left out
  }
}

}  // namespace takt::invocation
