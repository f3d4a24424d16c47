#include <takt/async/sending.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <takt/async/reply.h>
#include <takt/cdr/any.h>

#include "async/calls/async_calls.h"
#include "async/calls/call.h"
#include "async/calls/deadlines.h"
#include "async/calls/loop.h"
#include "async/deferred/deferred_calls.h"
#include "async/deferred/local_exchange.h"
#include "async/deferred/program_context.h"
#include "base/event_log.h"
#include "client/channel/failure.h"
#include "client/request_limit.h"
#include "client/thread_channels.h"
#include "giop/header/message_header.h"
#include "invocation/intercepted_calls.h"

namespace takt::async {

using client::Exchange;
using client::ThreadChannels;
using invocation::ClientCall;
using Other = invocation::CallInterception::Other;
using Status = Exchange::Status;

namespace {

constexpr auto never = Call::Clock::time_point::max();

reference::ObjectRef& called(const CORBA::Object& target) {
  if (!target._ref())
    throw CORBA::NO_IMPLEMENT(CORBA::omg_minor(8), CORBA::COMPLETED_NO,
                              "a local object can't be called through a stub");
  if (target._ref()->references()->down()) client::throw_orb_down();
  return *target._ref();
}

ClientCall::Shape shape_of(const CallType& type) {
  return {.response_expected = true, .has_arguments = type.has_arguments};
}

// Policies count time from the first attempt. `has_policies` and `policies` are those of the ClientCall that
// makes the next one.
template <class Policies>
void use_policies_of(const Call& call, bool& has_policies, Policies& policies) {
  if (!call.policies) return;
  has_policies = true;
  std::construct_at(&policies, Policies{.request_by = call.policies->request_by,
                                        .reply_by = call.policies->reply_by,
                                        .transparent = call.policies->transparent,
                                        .carries_quality = call.policies->carries_quality});
}

}  // namespace

// The decoded arguments are gone before the request is sent.
void CallType::encode_again(ByteView arguments, std::size_t index, const cdr::Format& format,
                            cdr::Encoder& to) const {
  to.set_borrowing(false);
  cdr::Decoder from(arguments, index, format);
  copy_arguments(*this, from, to);
  if (!from.ok()) to.fail(from.error());
}

HeldCall::HeldCall(Call& call) : call_(&call) { call.keep(); }

HeldCall Sending::hold() const {
  call_->held = true;
  return HeldCall(*call_);
}

void HeldCall::leave_loop() const noexcept {
  if (call_) Loop::dismiss(*call_);
}

void HeldCall::note_awaited() const noexcept {
  if (call_) Loop::note_awaited(*call_);
}

void Sending::join_loop() {
  if (Loop* const loop = Loop::mine()) loop->inbox().join(*call_);
}

void HeldCall::release() noexcept { call_->release(); }

void throw_no_memory_for_call() {
  throw CORBA::NO_MEMORY(0, CORBA::COMPLETED_NO, "the process has no memory left for an asynchronous call");
}

[[gnu::always_inline]] inline Call& Sending::take(const CORBA::Object& target) try {
  reference::ObjectRef& ref = called(target);
  if (Loop* const loop = Loop::mine()) [[unlikely]]
    loop->send_kept_first();
  return AsyncCalls::of(client::client_of(*ref.references())).take(ref);
} catch (const std::bad_alloc&) {
  throw_no_memory_for_call();
}

// The destructor gives the call back if the rest fails.
Sending::Sending(const CORBA::Object& target, const CallType& type) : Sending(take(target)) {
  try {
    begin_call(target, type);
  } catch (const std::bad_alloc&) {
    throw_no_memory_for_call();
  }
}

[[gnu::always_inline]] inline void Sending::begin_call(const CORBA::Object& target, const CallType& type) {
  call_->begin(target._ref(), type);
  if (call_->ref->local_key().empty()) {
    wire_.emplace(target, type.operation, shape_of(type));
    return;
  }
  memory_.emplace(256);
  // The call may have kept those of an earlier call on the reference, which interceptors forwarded.
  call_->to.reset();
  call_->route = nullptr;
  call_->connection.reset();
}

Sending::Sending(Call& call, Again) : call_(&call), is_new_(false) {
  again_ = reference::make_stub<CORBA::Object>(call.ref);
  wire_.emplace(*again_, call.type->operation, shape_of(*call.type));
  use_policies();
}

Sending::~Sending() {
  if (!call_ || !is_new_) return;
  if (memory_ && call_->interception) call_->interception->abandoned();  // unless its points have ended
  call_->end_interception();
  call_->stop.reset();
  if (has_sink_) call_->destroy_sink();
  if (LoopInbox* const loop = call_->loop.load(std::memory_order_relaxed)) loop->leave(*call_);
  call_->calls.note_over();
  call_->release();
}

void* Sending::sink() const { return call_->sink(); }

void Sending::use_policies() { use_policies_of(*call_, wire_->has_policies_, wire_->policies_); }

[[gnu::always_inline]] inline void Sending::note_policies() {
  if (wire_->has_policies_ && !call_->policies) {
    call_->has_extras = true;
    call_->policies = {.request_by = wire_->policies_.request_by,
                       .reply_by = wire_->policies_.reply_by,
                       .transparent = wire_->policies_.transparent,
                       .carries_quality = wire_->policies_.carries_quality};
  }
  call_->timeout = wire_->timeout_;
  if (wire_->timeout_ == client::ClientChannel::until_deadline)
    call_->deadline = wire_->policies_.reply_by;
  else if (call_->deadline == never && wire_->timeout_.count() > 0)
    call_->deadline = Call::Clock::now() + wire_->timeout_;
}

cdr::Encoder& Sending::begin() {
  try {
    return begin_attempt();
  } catch (const std::bad_alloc&) {
    throw_no_memory_for_call();
  }
}

[[gnu::always_inline]] inline cdr::Encoder& Sending::begin_attempt() {
  if (memory_ && !call_->starts_here()) {
    memory_.reset();
    again_ = reference::make_stub<CORBA::Object>(call_->ref);
    wire_.emplace(*again_, call_->type->operation, shape_of(*call_->type));
  }
  if (memory_) {
    memory_->clear();
    local_.emplace(*memory_, cdr::any_format(call_->ref->references()->environment)).set_borrowing(false);
    arguments_begin_ = 0;
    return *local_;
  }
  ThreadChannels& channels = ThreadChannels::mine();
  const ThreadChannels::UsingStrategy through(channels, &call_->calls.connections);
  pass_interception(*call_, *wire_);
  note_stop_token();
  const bool stoppable = (call_->has_extras && call_->stop) || !is_new_;
  cdr::Encoder& encoder = stoppable ? begin_stoppable() : wire_->begin_aside();
  if (!call_->to || call_->route != wire_->route_) {
    call_->to = channels.target_of(*call_->ref);
    call_->route = wire_->route_;
  }
  arguments_begin_ = encoder.position();
  return encoder;
}

[[gnu::always_inline]] inline void Sending::keep_arguments(const GatherBuffer& buffer) {
  Call& call = *call_;
  call.arguments_index = arguments_begin_;
  const std::size_t bytes = buffer.size() - arguments_begin_;
  if (!buffer.contiguous() || bytes > call.few_arguments.size()) [[unlikely]]
    return keep_more_arguments(buffer);
  std::copy_n(buffer.owned() + arguments_begin_, bytes, call.few_arguments.begin());
  call.arguments = {call.few_arguments.data(), bytes};
}

[[gnu::noinline]] void Sending::keep_more_arguments(const GatherBuffer& buffer) {
  Call& call = *call_;
  std::size_t skip = arguments_begin_;
  call.more_arguments.clear();
  call.pieces.clear();
  buffer.gather(call.pieces);
  for (const ByteView piece : call.pieces) {
    const std::size_t head = std::min(skip, piece.size());
    call.more_arguments.insert(call.more_arguments.end(), piece.begin() + static_cast<std::ptrdiff_t>(head),
                               piece.end());
    skip -= head;
  }
  call.arguments = call.more_arguments;
}

Sending::Outcome Sending::send() {
  const bool intercepted = wire_ ? wire_->intercepted_ : call_->interception != nullptr;
  return intercepted ? send_intercepted() : send_request();
}

// Whether the call's time can end, or someone cancel it, before post() returns, so that Deadlines must know
// of the call. Its connection ends a call that has only the usual timeout.
[[gnu::always_inline]] inline bool Sending::begin_watch() {
  Call& call = *call_;
  const bool stoppable = call.has_extras && call.stop;
  if (call.deadline == never && !stoppable && is_new_) [[likely]] {
    call.late_at = never;
    call.posted = true;
    call.watched = call.held;
    return false;
  }
  const auto timeout = wire_->timeout_;
  const bool ends_by_itself =
      is_new_ && !stoppable && timeout.count() > 0 && wire_->channel_->poster()->ends_late(timeout);
  call.late_at = ends_by_itself ? call.deadline : never;
  const bool watched = (call.deadline != never && !ends_by_itself) || stoppable || !is_new_;
  if (!watched) call.posted = true;
  call.watched = watched || call.held;
  return watched;
}

[[gnu::always_inline]] inline Sending::Outcome Sending::post() {
  ClientCall& wire = *wire_;
  client::ClientChannel& channel = *wire.channel_;
  Call& call = *call_;
  call.request_id = wire.request_id_;
  call.has_own_format = false;
  std::memcpy(call.head.data(), channel.out().owned(),
              std::min(call.head.size(), channel.out().owned_size()));
  const std::uint32_t attempt = call.attempt;
  const bool watched = begin_watch();
  const auto room_by = call.calls.waits_when_full() ? call.deadline : Call::Clock::time_point::min();
  if (watched) call.keep();
  const bool reports_sent = call.has_extras && call.sent_listener && call.begin_sent_report();
  std::optional<Exchange> refusal;
  try {
    refusal = channel.poster()->post(call.request_id, call, room_by);
  } catch (...) {
    if (reports_sent) call.cancel_sent_report();
    if (watched) call.release();
    throw;
  }
  if (refusal) {
    if (reports_sent) call.cancel_sent_report();
    if (watched)
      call.release();
    else
      call.posted = false;
    return not_posted();
  }
  // From now on, the call may have ended unless it is watched.
  call_ = nullptr;
  if (channel.offers()) channel.settle_offer(false);
  wire.release();
  if (watched) {
    Deadlines::of_process().add(call, attempt);
    call.release();
  }
  return Outcome::sent;
}

Sending::Outcome Sending::send_request() {
  try {
    if (call_->cancelled) call_->throw_cancelled(CORBA::COMPLETED_NO);
    if (memory_) return send_here();
    ClientCall& wire = *wire_;
    if (!wire.request_->ok()) client::throw_bad_request(wire.request_->error(), call_->type->operation);
    const GatherBuffer& request = wire.channel_->out();
    if (const reference::References& references = *wire.ref_->references();
        client::is_too_long(request, references))
      client::throw_too_long(request, references, call_->type->operation);
    keep_arguments(wire.channel_->out());
    giop::finish_message(wire.channel_->out());
    note_policies();
    if (wire.channel_->poster()) return post();
    // A connection that the peer uses too, or a group: threads wait for its replies.
    wire.release();
    if (call_->interception) call_->interception->go_on();
    call_->urgency = os::remembered_urgency();
    DeferredCalls::of_programs().add([call = call_] { send_again(*call); }, call_->urgency);
    call_ = nullptr;
    return Outcome::sent;
  } catch (const std::bad_alloc&) {
    throw_no_memory_for_call();
  }
}

Sending::Outcome Sending::not_posted() {
  ClientCall& wire = *wire_;
  const Exchange ending = wire.channel_->ending();
  const std::string where = wire.release_and_describe();
  if (call_->ref->references()->down()) client::throw_orb_down();
  if (ending.status == Status::retry &&
      call_->redirections++ < call_->calls.client.options.max_redirections) {
    call_->log(LogEvent::request_retried, ending.reason);
    ThreadChannels::mine().note_reissued(call_->redirections, call_->deadline);
    return Outcome::again;
  }
  call_->log(
      client::missed_deadline(ending, call_->timeout) ? LogEvent::deadline_missed : LogEvent::call_failed,
      ending.reason);
  client::throw_exchange_failure(ending, where, call_->type->operation, call_->timeout);
}

Sending::Outcome Sending::send_here() {
  if (!local_->ok()) client::throw_bad_request(local_->error(), call_->type->operation);
  keep_arguments(*memory_);
  call_->urgency = os::remembered_urgency();
  DeferredCalls::of_programs().add([call = call_] { run_here(*call); }, call_->urgency);
  call_ = nullptr;
  return Outcome::sent;
}

namespace {
giop::ReplyStatus dispatch_here(const Call& call, LocalExchange& exchange) {
  const ProgramContext context(call.calls.client, call.inherited.priority());
  return exchange.dispatch(call.arguments);
}
}  // namespace

// The servant runs in this thread, with what the caller's calls carry.
void Sending::run_here(Call& call) noexcept {
  try {
    const InheritedCalls inherited = call.inherited;
    const InheritedCalls::Use use(inherited);
    if (call.ref->references()->down()) client::throw_orb_down();
    if (call.cancelled) call.throw_cancelled(CORBA::COMPLETED_NO);
    if (call.sent_listener) call.report_sent();
    LocalExchange exchange(*call.ref, call.type->operation, true);
    if (call.interception) exchange.add(call.interception->with_added({}));
    const giop::ReplyStatus status = dispatch_here(call, exchange);
    if (exchange.needs_connection()) {
      call.end_attempt(Other::moved);
      return send_kept_arguments(call);
    }
    if (call.interception) call.interception->keep_contexts(exchange.contexts());
    call.keep_reply(exchange.reply(), status);
  } catch (...) {
    call.fail(Reply::present_failure(CORBA::COMPLETED_MAYBE));
  }
  call.calls.hand_on(call);
}

void Sending::send_kept(KeptCall& kept, const std::shared_ptr<reference::ObjectRef>& target, Loop* loop) {
  KeptCall::Attempt& begun = kept.attempt_;
  const cdr::Format format = kept.format_of_arguments();
  Call& call = AsyncCalls::of(client::client_of(*target->references())).take_accepted(*target);
  call.begin(target, kept.type_->sent);
  if (call.sent_listener) call.drop_sent_listener();
  HeldCall held;
  if (kept.type_->is_awaited) {
    call.held = true;
    held = HeldCall(call);
  }
  kept.type_->move_sink(kept, call.sink(), std::move(held));
  if (loop) loop->inbox().join(call);
  try {
    Sending sending(call, Again{});
    do {
      call.type->encode_again(begun.arguments(), begun.arguments_index, format, sending.begin());
    } while (sending.send() == Outcome::again);
  } catch (...) {
    call.fail(Reply::present_failure(CORBA::COMPLETED_MAYBE));
    call.calls.hand_on(call);
  }
}

void Sending::send_again(Call& call) noexcept {
  try {
    const InheritedCalls inherited = call.inherited;
    const InheritedCalls::Use use(inherited);
    if (call.cancelled) call.throw_cancelled(CORBA::COMPLETED_NO);
    if (call.deadline <= Call::Clock::now())
      client::throw_too_late(call.type->operation, "before it was sent again", CORBA::COMPLETED_NO);
    if (call.exchange.status == Status::retry) {
      call.log(LogEvent::request_retried, call.exchange.reason);
      ThreadChannels::mine().note_reissued(++call.redirections, call.deadline);
      call.end_attempt(Other::retried);
      return send_kept_arguments(call);
    }
    if (call.exchange.status != Status::reply ||
        call.reply.reply_status == giop::ReplyStatus::needs_addressing_mode) {
      if (call.exchange.status == Status::reply) call.end_attempt(Other::retried);
      return call_synchronously(call);
    }
    follow_forward(call);
    call.end_attempt(Other::moved);
    return send_kept_arguments(call);
  } catch (...) {
    call.fail(Reply::present_failure(CORBA::COMPLETED_MAYBE));
  }
  call.calls.hand_on(call);
}

void Sending::follow_forward(Call& call) {
  reference::References& references = *call.ref->references();
  cdr::Decoder decoder = call.decoder_of_reply();
  cdr::Ior ior;
  if (!cdr::read_ior(decoder, ior))
    client::throw_unreadable_reply("the reference of a forward", CORBA::COMPLETED_NO, call.type->operation,
                                   call.where());
  if (call.policies && !call.policies->transparent) client::throw_not_rebound("the server forwards the call");
  if (call.redirections++ >= call.calls.client.options.max_redirections)
    invocation::throw_forwarded_too_often(ThreadChannels::mine().lost_target());
  call.log(LogEvent::request_forwarded, "the server names another object");
  ThreadChannels::mine().note_reissued(call.redirections, call.deadline);
  call.ref->redirect(
      reference::make_target(references, std::move(ior), {}, call.ref->original().agreed.get()));
}

void Sending::send_kept_arguments(Call& call) {
  const auto was_to = call.to;  // keeps what the format refers to
  const cdr::Format format = call.format_of_arguments();
  Sending sending(call, Again{});
  do {
    cdr::Encoder& encoder = sending.begin();
    call.type->encode_again(call.arguments, call.arguments_index, format, encoder);
  } while (sending.send() == Outcome::again);
}

// The thread waits for the reply.
void Sending::call_synchronously(Call& call) {
  const auto target = reference::make_stub<CORBA::Object>(call.ref);
  ClientCall wire(*target, call.type->operation, shape_of(*call.type));
  use_policies_of(call, wire.has_policies_, wire.policies_);
  pass_interception(call, wire);
  ClientCall::Outcome outcome;
  do {
    cdr::Encoder& encoder = wire.begin();
    // The time for the reply began with the call.
    if (const std::chrono::nanoseconds left = call.deadline - Call::Clock::now(); wire.timeout_ > left)
      wire.timeout_ = std::max<std::chrono::nanoseconds>(left, std::chrono::milliseconds(1));
    call.type->encode_again(call.arguments, call.arguments_index, call.format_of_arguments(), encoder);
    outcome = wire.exchange();
  } while (outcome == ClientCall::Outcome::again);
  call.to = ThreadChannels::mine().target_of(*call.ref);  // keeps the format's code sets
  call.route = wire.route_;
  call.keep_reply(wire.reply(), wire.channel_->reply().reply_status);
  if (outcome == ClientCall::Outcome::user_exception) {
    call.has_extras = true;
    call.exception_id = wire.exception_id();
  }
  wire.finish();
  call.calls.hand_on(call);
}

}  // namespace takt::async
