#include <takt/invocation/client_call.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <takt/base/probe_site.h>

#include "base/event_log.h"
#include "base/step.h"
#include "client/channel/failure.h"
#include "client/request_limit.h"
#include "client/thread_channels.h"
#include "giop/compression/format.h"
#include "giop/contexts/invocation_policies.h"
#include "giop/contexts/priorities.h"
#include "giop/contexts/quality.h"
#include "giop/lite/messages.h"
#include "giop/message/reply.h"
#include "giop/message/request.h"
#include "giop/relay.h"
#include "invocation/call_interception.h"
#include "invocation/intercepted_calls.h"
#include "invocation/readdressed.h"
#include "invocation/relayed_request.h"
#include "reference/context/quality_to_send.h"
#include "reference/object_ref.h"
#include "reference/policies/utc_time.h"

namespace takt::invocation {

using client::Binding;
using client::Exchange;
using client::ThreadChannels;
using reference::ThreadContext;

namespace {

[[noreturn]] void throw_local_object() {
  throw CORBA::NO_IMPLEMENT(CORBA::omg_minor(8), CORBA::COMPLETED_NO,
                            "a local object can't be called through a stub");
}

}  // namespace

// Whether this request must carry a connection's initial contexts.
inline bool ClientCall::introduces() const {
  return !channel_->contexts_sent() &&
         (!route_->server->code_set_context.empty() || !channel_->compression_offer().empty());
}

// Inlined, because it is on the path of every call.
[[gnu::always_inline]] inline const Binding& ClientCall::take_channel() {
  TAKT_PROBE_TEXT(client_get_reference, operation_);
  const Binding& binding = ThreadChannels::mine().bind(*ref_);
  TAKT_PROBE(client_initialize);
  channel_ = binding.channel;
  route_ = binding.route;
  channel_->take();
  request_id_ = channel_->next_request_id();
  timeout_ = binding.timeout;
  TAKT_PROBE(client_messaging_send);
  return binding;
}

OctetBuffer ClientCall::borrow(std::size_t bytes) {
  if (!ref_) throw_local_object();
  take_channel();
  OctetBuffer octets = channel_->borrow(bytes);
  release();
  ThreadChannels::mine().take_begin({});  // the call follows when the program has filled it
  return octets;
}

// On its own, so that begin() saves no registers for calls with points.
[[gnu::noinline]] cdr::Encoder& ClientCall::begin_attempt() {
  const Binding& binding = take_channel();
  request_.emplace(channel_->out(), route_->server->format);
  const bool common = !readdressed_ && binding.plain && !introduces();
  if (!common) [[unlikely]]
    return begin_short_or_full(binding);
  giop::write_request_head(*request_, route_->prepared,
                           {.request_id = request_id_,
                            .response_flags = response_flags_,
                            .operation = operation_,
                            .has_body = has_arguments_});
  TAKT_PROBE(client_marshal);
  return *request_;
}

cdr::Encoder& ClientCall::begin() {
  if (!ref_) [[unlikely]]
    throw_local_object();
  if (ref_->intercepted()) [[unlikely]]
    if (InterceptedCalls* const interceptors = client::client_of(*ref_->references()).interceptors)
      return interceptors->begin(*this);
  return begin_attempt();
}

cdr::Encoder& ClientCall::begin_aside() {
  if (!ref_) throw_local_object();
  InterceptedCalls* const interceptors = interceptors_of(*ref_);
  return interceptors ? interceptors->begin_aside(*this) : begin_attempt();
}

// Writes a short GIOPlite header for a bare request whose names have numbers, else a full header.
[[gnu::noinline]] cdr::Encoder& ClientCall::begin_short_or_full(const Binding& binding) {
  if (binding.lite && !readdressed_ && !introduces()) {
    const auto* name = channel_->names()->find_known(route_->prepared, operation_);
    if (name && giop::lite::write_bare_head(channel_->out(), {giop::MessageType::request, response_flags_,
                                                              name->number(), request_id_})) [[likely]] {
      TAKT_PROBE(client_marshal);
      return *request_;
    }
  }
  return begin_with_contexts(binding);
}

// Policies count time from the first attempt, connecting included.
void ClientCall::note_policies(const Binding& binding) {
  using reference::CallPolicies;
  const auto now = CallPolicies::Clock::now();
  const auto begun = ThreadChannels::mine().take_begin(now);
  request_->borrow_from(binding.policies.borrow_from_bytes);
  const Quality* quality = ThreadContext::mine().quality();
  if (!has_policies_) {
    has_policies_ = true;
    Policies policies{.request_by = binding.policies.request_deadline(begun),
                      .reply_by = binding.policies.reply_deadline(begun),
                      .transparent = binding.policies.rebind == CallPolicies::Rebind::transparent,
                      .carries_quality = quality != nullptr};
    if (quality) policies.reply_by = std::min(policies.reply_by, quality->deadline);
    policies.request_by = std::min(policies.request_by, policies.reply_by);
    policies.carries_quality |= policies.request_by != CallPolicies::never;
    std::construct_at(&policies_, policies);
    if (!response_expected_ && binding.policies.scope >= CallPolicies::Scope::server) {
      response_expected_ = true;
      response_flags_ = binding.policies.scope == CallPolicies::Scope::server ? giop::response_from_server
                                                                              : giop::response_from_target;
    }
  }
  if (policies_.request_by <= now) {
    if (takes(client::client_of(*ref_->references()).log.get(), LogEvent::deadline_missed))
      note(LogEvent::deadline_missed, channel_->describe(), "it had passed before sending");
    client::throw_too_late(operation_, "before sending", CORBA::COMPLETED_NO);
  }
  const auto end = response_expected_ ? policies_.reply_by : policies_.request_by;
  if (end != CallPolicies::never) {
    channel_->end_by(std::min(end, now + CallPolicies::longest));
    timeout_ = client::ClientChannel::until_deadline;
  }
  if (!response_expected_ && binding.policies.scope == CallPolicies::Scope::none) {
    channel_->send_at_once();
    timeout_ = client::ClientChannel::until_deadline;
  }
}

// Service contexts that the ORB adds for the connection and the caller. The views point into this object.
class ClientCall::OwnContexts {
 public:
  OwnContexts(const ClientCall& call, const Binding& binding) {
    const reference::Route& route = *call.route_;
    // Before the code sets: TAO's servers see only the first context that they handle.
    if (const ByteView offer = call.channel_->context_to_offer(); !offer.empty())
      put(giop::bidirectional_context, offer);
    if (!call.channel_->contexts_sent()) introduce(route, call.channel_->compression_offer());
    if (const auto priority = ThreadContext::mine().priority(); priority && route.server->propagates_priority)
      put(giop::rt_priority_context, priority_data_ = giop::write_priority_context(*priority));
    if (call.has_policies_ && call.policies_.carries_quality)
      put(giop::quality_context, (quality_data_ = giop::QualityContextData(reference::quality_to_send(
                                      call.policies_.reply_by, call.policies_.request_by)))
                                     .octets());
    if (call.has_policies_) put_policies(call, binding);
  }
  OwnContexts(const OwnContexts&) = delete;
  OwnContexts& operator=(const OwnContexts&) = delete;

  // Announces a number that may stand for the request's names from now on.
  void offer(std::uint16_t number) {
    put(giop::lite::offer_context, offer_data_ = giop::write_number_data(number));
  }

  std::span<const giop::ServiceContext> all() const { return {contexts_.data(), count_}; }

 private:
  void introduce(const reference::Route& route, ByteView compression_offer) {
    if (!route.server->code_set_context.empty()) put(giop::code_sets_context, route.server->code_set_context);
    if (!compression_offer.empty()) put(giop::compression::offer_context, compression_offer);
  }
  // A Takt server reads the remaining time in the quality context, which needs no common clock.
  void put_policies(const ClientCall& call, const Binding& binding) {
    giop::InvocationPolicies policies{.request_priority = binding.policies.request_priority,
                                      .request_start = binding.policies.request_start};
    if (!call.route_->server->takes_cancels) {
      const auto [request_by, reply_by] = std::pair(call.policies_.request_by, call.policies_.reply_by);
      const bool ends = request_by != reference::CallPolicies::never;
      if (ends && (request_by < reply_by || !call.response_expected_))
        policies.request_end = reference::utc_of(request_by);
      if (reply_by != reference::CallPolicies::never && call.response_expected_)
        policies.reply_end = reference::utc_of(reply_by);
    }
    if (policies.any())
      put(giop::invocation_policies_context,
          (policies_data_ = giop::InvocationPoliciesData(policies)).octets());
  }
  void put(std::uint32_t id, ByteView data) { contexts_[count_++] = {id, data}; }

  std::array<giop::ServiceContext, 7> contexts_;
  std::size_t count_ = 0;
  std::array<std::uint8_t, giop::number_data_bytes> offer_data_;
  std::array<std::uint8_t, giop::priority_context_bytes> priority_data_;
  giop::QualityContextData quality_data_;
  giop::InvocationPoliciesData policies_data_;
};

inline std::span<const giop::ServiceContext> ClientCall::all_of(const OwnContexts& own) const {
  return intercepted_ ? interception_->with_added(own.all()) : own.all();
}

[[gnu::noinline]] cdr::Encoder& ClientCall::begin_with_contexts(const Binding& binding) {
  if (binding.has_policies) note_policies(binding);
  StepLog* const steps = client::client_of(*ref_->references()).steps;
  if (steps) steps->begin(Step::client_messaging_send, request_id_, operation_);
  if (readdressed_ && readdressed_->route != route_->prepared.serial()) readdressed_ = nullptr;
  const giop::PreparedTarget& target = readdressed_ ? readdressed_->target : route_->prepared;
  OwnContexts contexts(*this, binding);
  giop::lite::ClientNames* const names = channel_->names();
  if (binding.lite_only && names->refused()) client::throw_no_lite(channel_->describe());
  auto* const name = names ? names->find(target, operation_) : nullptr;
  if (name && name->known()) {
    giop::lite::write_request(*request_, name->number(),
                              {.request_id = request_id_,
                               .response_flags = response_flags_,
                               .contexts = all_of(contexts),
                               .has_body = has_arguments_});
  } else {
    if (name) {
      contexts.offer(name->number());
      channel_->offer(*name);
    }
    giop::write_request(*request_, target,
                        {.request_id = request_id_,
                         .response_flags = response_flags_,
                         .operation = operation_,
                         .contexts = all_of(contexts),
                         .has_body = has_arguments_});
  }
  if (steps) steps->begin(Step::client_marshal);
  TAKT_PROBE(client_marshal);
  return *request_;
}

// The arguments come from another client, so the request uses its byte order, GIOP version and contexts, and
// a connection with its code sets.
cdr::Encoder& ClientCall::begin_relayed(const RelayedRequest& request) {
  if (!ref_) throw_local_object();
  const Binding& binding = take_channel();
  cdr::Format format = route_->server->format;
  format.order = request.order;
  request_.emplace(channel_->out(), format);
  if (binding.has_policies) note_policies(binding);
  const OwnContexts own(*this, binding);
  std::vector<giop::ServiceContext> contexts(own.all().begin(), own.all().end());
  // The client's absolute times apply here too, and ours derive from them.
  const auto policies = giop::invocation_policies_context;
  if (std::ranges::find(request.contexts, policies, &giop::ServiceContext::id) !=
      std::ranges::end(request.contexts))
    std::erase_if(contexts, [](const giop::ServiceContext& one) { return one.id == policies; });
  for (const giop::ServiceContext& context : request.contexts)
    if (std::ranges::find(contexts, context.id, &giop::ServiceContext::id) == contexts.end())
      contexts.push_back(context);
  giop::write_relayed_request(*request_, {1, route_->server->giop_minor},
                              {.request_id = request_id_,
                               .response_flags = response_flags_,
                               .operation = operation_,
                               .contexts = contexts},
                              route_->object_key, {request.body_index, request.body.empty()});
  TAKT_PROBE(client_marshal);
  request_->put_octets(request.body);
  return *request_;
}

template <bool relayed>
[[gnu::always_inline]] inline ClientCall::Outcome ClientCall::exchange_one() {
  if (!request_->ok()) [[unlikely]]
    return not_encoded();
  const bool may_be_too_long = channel_->out().size() > client::ClientOptions::least_longest_request;
  if (may_be_too_long && client::is_too_long(channel_->out(), *ref_->references())) [[unlikely]]
    return not_encoded();
  giop::finish_message(channel_->out());
  using Status = Exchange::Status;
  TAKT_PROBE(client_transport_send);
  Status status;
  try {
    status = channel_->exchange(request_id_, response_expected_, timeout_);
  } catch (const std::bad_alloc&) {
    channel_->fail_for_memory();
    status = Status::no_memory;
  }
  TAKT_PROBE(client_demarshal);
  if (status != Status::reply) [[unlikely]]
    return outcome_without_results(status == Status::sent ? Ended::sent : Ended::failed);
  const giop::Event& event = channel_->reply();
  channel_->set_contexts_sent();
  reply_.emplace(event.body, event.body_index, route_->server->format);
  reply_->set_encoding(event.order, event.version.minor);
  if (channel_->notes_reply()) [[unlikely]]
    note_reply();
  if (event.body_missing != 0) [[unlikely]]
    reply_->set_source(event.parts ? event.parts : channel_->body_source(), event.body_missing);
  if (event.reply_status == giop::ReplyStatus::no_exception) return Outcome::result;
  if (relayed && event.reply_status <= giop::ReplyStatus::system_exception) return Outcome::result;
  return outcome_without_results(Ended::replied);
}

ClientCall::Outcome ClientCall::exchange() { return exchange_one<false>(); }

[[gnu::cold]] ClientCall::Outcome ClientCall::exchange_relayed() { return exchange_one<true>(); }

void ClientCall::throw_no_memory() {
  const bool before_it_was_sent = channel_ || !request_;
  const auto completed = reply_               ? CORBA::COMPLETED_YES
                         : before_it_was_sent ? CORBA::COMPLETED_NO
                                              : CORBA::COMPLETED_MAYBE;
  const CORBA::NO_MEMORY failure(0, completed,
                                 "the process has no memory left for the arguments or the results");
  if (intercepted_) interceptors().fail(*this, failure);
  throw failure;
}

inline InterceptedCalls& ClientCall::interceptors() const {
  return *client::client_of(*ref_->references()).interceptors;
}

void ClientCall::finish() {
  if (channel_->needs_cleanup()) [[unlikely]] {
    if (intercepted_ && !channel_->watches_octets_left()) return interceptors().finish(*this);
    return finish_watched();
  }
  if (!reply_->ok()) [[unlikely]]
    return finish_attempt();
  release();
}

[[gnu::cold, gnu::noinline]] void ClientCall::finish_attempt() {
  if (!reply_->ok()) [[unlikely]] {
    const cdr::Error error = reply_->error();
    const std::size_t octet = reply_->position();
    const bool is_late = error == cdr::Error::source_failed && channel_->body_was_late();
    const std::string channel = release_and_describe();
    if (!is_late) client::throw_bad_reply(error, octet, operation_);
    const bool by_deadline = timeout_ == client::ClientChannel::until_deadline;
    note(by_deadline ? LogEvent::deadline_missed : LogEvent::call_failed, channel,
         "the rest of the reply was not there in time");
    client::throw_late_reply(operation_, channel);
  }
  release();
}

// For calls that the log or interceptors watch, or whose channel must be tidied up after them.
[[gnu::cold, gnu::noinline]] void ClientCall::finish_watched() {
  if (channel_->watches_octets_left()) note_octets_left();
  if (intercepted_) return interceptors().finish(*this);
  finish_attempt();
}

namespace {

// On its own, so that release() saves no registers.
[[gnu::cold, gnu::noinline]] void tidy_or_discard(client::ClientChannel& channel) {
  channel.done();
  TAKT_PROBE(client_done);
  if (channel.broken()) ThreadChannels::mine().discard(channel);
}

}  // namespace

// Returns the connection to the thread's cache, or drops it if it is broken.
void ClientCall::release() {
  client::ClientChannel& channel = *channel_;
  channel_ = nullptr;
  if (channel.needs_cleanup() || channel.broken()) [[unlikely]]
    return tidy_or_discard(channel);
  channel.done();
  TAKT_PROBE(client_done);
}

[[gnu::cold, gnu::noinline]] void ClientCall::note_reply() {
  if (channel_->offers()) channel_->settle_offer(true);
  if (intercepted_) interceptors().note_reply(*this);
}

[[gnu::cold, gnu::noinline]] ClientCall::Outcome ClientCall::not_encoded() {
  if (intercepted_) return interceptors().outcome(*this, Ended::failed);
  if (!request_->ok()) client::throw_bad_request(request_->error(), operation_);
  client::throw_too_long(channel_->out(), *ref_->references(), operation_);
}

[[gnu::cold, gnu::noinline]] ClientCall::Outcome ClientCall::outcome_without_results(Ended how) {
  if (intercepted_) return interceptors().outcome(*this, how);
  switch (how) {
    case Ended::replied:
      return reply_with_other_status();
    case Ended::sent:
      return accepted();
    case Ended::failed:
      break;
  }
  return not_answered();
}

[[gnu::noinline]] cdr::Encoder& ClientCall::begin_attempt_with_contexts() {
  const Binding& binding = take_channel();
  request_.emplace(channel_->out(), route_->server->format);
  return begin_with_contexts(binding);
}

[[gnu::cold, gnu::noinline]] void ClientCall::abandon() {
  release();
  if (intercepted_) interceptors().abandon(*this);
}

}  // namespace takt::invocation
