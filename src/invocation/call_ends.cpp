// The end of an attempt that brought no results: another attempt, or an exception and a line in the log.
#include <takt/invocation/client_call.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/event_log.h"
#include "client/channel/failure.h"
#include "client/thread_channels.h"
#include "giop/message/reply.h"
#include "giop/message/system_exception.h"
#include "giop/message/target_address.h"
#include "invocation/intercepted_calls.h"
#include "invocation/readdressed.h"
#include "reference/object_ref.h"

namespace takt::invocation {

using client::Exchange;
using client::ThreadChannels;

[[gnu::cold]] void throw_forwarded_too_often(const std::string& unreached) {
  throw CORBA::TRANSIENT(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                         "the call was forwarded more often than -ORBMaxRedirections allows: " +
                             (unreached.empty() ? "do the servers forward to each other?"
                                                : "to where it cannot go: " + unreached));
}

// For paths that are slow anyway.
[[gnu::cold]] void ClientCall::note(LogEvent event, const std::string& peer,
                                    const std::string& reason) const {
  EventLog* const log = client::client_of(*ref_->references()).log.get();
  if (takes(log, event))
    log->write({.event = event, .peer = peer, .operation = operation_, .reason = reason});
}

std::string ClientCall::release_and_describe() {
  std::string channel = channel_->describe();
  release();
  return channel;
}

// The transport has accepted a oneway.
ClientCall::Outcome ClientCall::accepted() {
  channel_->set_contexts_sent();
  if (channel_->offers()) channel_->settle_offer(false);
  release();
  return Outcome::result;
}

ClientCall::Outcome ClientCall::not_answered() {
  const reference::References& references = *ref_->references();
  const Exchange ending = channel_->ending();
  using Status = Exchange::Status;
  if (ending.status == Status::timeout && ending.sent_in_part && response_expected_ &&
      route_->server->takes_cancels)
    channel_->cancel(request_id_);
  const std::string channel = release_and_describe();
  if (references.down()) client::throw_orb_down(client::completion_of(ending));
  if (ending.status == Status::retry &&
      redirections_++ < client::client_of(references).options.max_redirections) {
    note(LogEvent::request_retried, channel, ending.reason);
    note_reissued();
    return Outcome::again;
  }
  if (client::missed_deadline(ending, timeout_))
    note(LogEvent::deadline_missed, channel, std::string("it passed during: ") + ending.phase);
  else
    note(LogEvent::call_failed, channel,
         ending.status == Status::timeout ? std::string("no answer in time") : ending.reason);
  client::throw_exchange_failure(ending, channel, operation_, timeout_);
}

ClientCall::Outcome ClientCall::reply_with_other_status() {
  switch (channel_->reply().reply_status) {
    case giop::ReplyStatus::user_exception:
      exception_id_ = reply_->get_raw_string_view();
      return Outcome::user_exception;
    case giop::ReplyStatus::system_exception:
      throw_system_exception(*reply_, After::releases);
    case giop::ReplyStatus::location_forward:
    case giop::ReplyStatus::location_forward_perm:
      return redirected();
    case giop::ReplyStatus::needs_addressing_mode:
      return readdressed();
    default:
      break;
  }
  client::throw_unreadable_reply("the status", CORBA::COMPLETED_MAYBE, operation_, release_and_describe());
}

// The next attempt ends when the call must.
void ClientCall::note_reissued() const {
  const auto by =
      has_policies_ ? std::min(policies_.request_by, policies_.reply_by) : reference::CallPolicies::never;
  ThreadChannels::mine().note_reissued(redirections_, by);
}

ClientCall::Outcome ClientCall::redirected() {
  reference::References& references = *ref_->references();
  cdr::Decoder reply = *reply_;
  reply_.reset();  // the call has not run
  cdr::Ior ior;
  const bool readable = cdr::read_ior(reply, ior);
  const bool forwards =
      readable && takes(client::client_of(references).log.get(), LogEvent::request_forwarded);
  if (forwards) note(LogEvent::request_forwarded, channel_->describe(), "the server names another object");
  const std::string unreadable_from = readable ? std::string() : channel_->describe();
  release();
  if (!readable)
    client::throw_unreadable_reply("the reference of a forward", CORBA::COMPLETED_NO, operation_,
                                   unreadable_from);
  if (has_policies_ && !policies_.transparent) client::throw_not_rebound("the server forwards the call");
  if (redirections_ > 0 && redirections_ >= client::client_of(references).options.max_redirections)
    throw_forwarded_too_often(ThreadChannels::mine().lost_target());
  count_redirection();
  note_reissued();
  ref_->redirect_to(std::move(ior));
  return Outcome::again;
}

ClientCall::Outcome ClientCall::readdressed() {
  cdr::Decoder reply = *reply_;
  reply_.reset();  // the call has not run
  const auto wanted = static_cast<giop::Addressing>(reply.get_u16());
  const reference::Route& route = *route_;
  // Program code that encodes an argument may have made calls or set policies, which replaced the target.
  const auto target = ThreadChannels::mine().target_of(*ref_);
  const auto is_route = [&](const reference::Route& one) { return &one == &route; };
  if (!target || std::ranges::none_of(target->routes, is_route) || !reply.ok() || readdressed_ ||
      route.server->giop_minor < 2 || wanted == giop::Addressing::key)
    client::throw_no_other_addressing(operation_, release_and_describe());
  readdressed_ = std::make_shared<Readdressed>();
  readdressed_->target = wanted == giop::Addressing::profile
                             ? giop::PreparedTarget::for_profile(target->ior.profiles[route.profile])
                             : giop::PreparedTarget::for_reference(target->ior, route.profile);
  readdressed_->route = route.prepared.serial();
  release();
  return Outcome::again;
}

// The addressing mode that a server has asked for is not for the next one.
void ClientCall::count_redirection() {
  if (redirections_++ >= client::client_of(*ref_->references()).options.max_redirections)
    throw_forwarded_too_often();
  readdressed_ = nullptr;
}

void ClientCall::throw_system_exception(cdr::Decoder& reply, After after) {
  giop::SystemExceptionBody body;
  const bool readable = giop::read_system_exception(reply, body);
  const std::string channel = channel_->describe();
  const auto used = ThreadChannels::mine().target_of(*ref_);
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
