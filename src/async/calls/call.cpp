#include "async/calls/call.h"

#include <string>
#include <utility>

#include <takt/async/reply.h>
#include <takt/cdr/any.h>

#include "async/calls/async_calls.h"
#include "async/calls/deadlines.h"
#include "async/calls/delivery_threads.h"
#include "async/calls/loop_inbox.h"
#include "async/deferred/deferred_calls.h"
#include "async/deferred/ends_elsewhere.h"
#include "async/deferred/program_context.h"
#include "base/event_log.h"
#include "client/channel/failure.h"
#include "giop/message/system_exception.h"
#include "reference/context/trace_scope.h"

namespace takt::async {

using client::Exchange;
using Status = Exchange::Status;

namespace {

thread_local constinit Call* ended_here = nullptr;    // a list, the last first
thread_local constinit Call* left_here = nullptr;     // the same
thread_local constinit unsigned deliveries_here = 0;  // handlers and listeners that run
thread_local constinit bool keeps_last_here = false;
thread_local constinit Call* kept_here = nullptr;  // the last that was released
// The ORB for which the thread reads replies, and its own RT-CORBA priority.
struct Reading {
  const client::Client* client = nullptr;
  std::optional<giop::Priority> at = std::nullopt;
};
thread_local constinit Reading reading_here;

// In a thread that reads, before code of the program: a handler, or a listener.
void take_priority_of(const Call& call) noexcept {
  run_at(call.calls.client, call.inherited.priority() ? call.inherited.priority() : reading_here.at);
}

// In such a thread, around code of the program for calls of several priorities: afterwards the thread goes on
// at its own, or the code that has ended these calls at the one that it had.
class ReturnsToPriority {
 public:
  ReturnsToPriority() = default;
  ~ReturnsToPriority() {
    if (reading_here.client) run_at(*reading_here.client, to_);
  }
  ReturnsToPriority(const ReturnsToPriority&) = delete;
  ReturnsToPriority& operator=(const ReturnsToPriority&) = delete;

 private:
  const std::optional<giop::Priority> to_ =
      deliveries_here == 0 ? reading_here.at : reference::ThreadContext::mine().priority();
};

// Calls of one priority, on their way to a thread of the ORB together.
class ForOneThread {
 public:
  ~ForOneThread() { add_all(); }
  void add(Call& call) {
    if (first_ && last_->inherited.priority() != call.inherited.priority()) add_all();
    (first_ ? last_->next_ended : first_) = &call;
    last_ = &call;
  }
  void add_all() {
    if (first_) DeliveryThreads::of_process().add(*std::exchange(first_, nullptr), *last_);
  }

 private:
  Call* first_ = nullptr;
  Call* last_ = nullptr;
};

void report_all_left() noexcept {
  Call* reversed = nullptr;
  for (Call* call = std::exchange(left_here, nullptr); call;) {
    Call* const next = std::exchange(call->next_left, reversed);
    reversed = std::exchange(call, next);
  }
  while (reversed) {
    Call& call = *std::exchange(reversed, reversed->next_left);
    if (reading_here.client) take_priority_of(call);
    ++deliveries_here;
    call.end_sent_report();
    --deliveries_here;
    Call::leave_no_slots();
  }
}

}  // namespace

// For the lifetime of the outermost one in the thread.
class Call::KeepsLast {
 public:
  KeepsLast() = default;
  ~KeepsLast() {
    keeps_last_here = before_;
    if (before_) return;
    if (Call* const kept = std::exchange(kept_here, nullptr)) kept->give_back();
  }
  KeepsLast(const KeepsLast&) = delete;
  KeepsLast& operator=(const KeepsLast&) = delete;

 private:
  const bool before_ = std::exchange(keeps_last_here, true);
};

void hand_on_all() noexcept {
  const ReturnsToPriority returns;
  if (left_here) [[unlikely]]
    report_all_left();
  Call* reversed = nullptr;
  for (Call* call = std::exchange(ended_here, nullptr); call;) {
    Call* const next = std::exchange(call->next_ended, reversed);
    reversed = std::exchange(call, next);
  }
  if (reversed && !reversed->next_ended) {  // one call at a time
    client::Waiter::more_follow = false;
    return reversed->calls.hand_on(*reversed);
  }
  const Call::KeepsLast keeps_last;
  ForOneThread to_thread;
  while (reversed) {
    Call& call = *std::exchange(reversed, reversed->next_ended);
    client::Waiter::more_follow = reversed != nullptr;
    if (!call.calls.delivers_by_threads()) to_thread.add_all();  // because a handler may run next
    if (call.calls.hand_on_unless_by_threads(call)) to_thread.add(call);
  }
}

namespace {

// A lock is held here, so the call is handed on later.
void end_here(client::Waiter& waiter) noexcept {
  Call& call = static_cast<Call&>(waiter);
  call.next_ended = std::exchange(ended_here, &call);
  client::Waiter::hand_on = &hand_on_all;
}

void leave_here(client::Waiter& waiter, bool whole) noexcept {
  Call& call = static_cast<Call&>(waiter);
  call.left_whole = whole;
  call.next_left = std::exchange(left_here, &call);
  client::Waiter::hand_on = &hand_on_all;
}

}  // namespace

namespace {

// A connection's thread must not destroy the connection, as it would with the ORB's last reference. So it
// keeps the ORB, of which there is one for each connection, and another thread releases it when this one
// ends.
class KeptOrb {
 public:
  KeptOrb() = default;
  KeptOrb(const KeptOrb&) = delete;
  KeptOrb& operator=(const KeptOrb&) = delete;
  ~KeptOrb() {
    if (!orb_) return;
    try {
      auto* const orb = new std::shared_ptr<const void>();
      orb->swap(orb_);
      DeferredCalls::of_process().add([orb] { delete orb; });
    } catch (...) {  // no thread can be begun: the ORB stays, since this thread cannot wait for its own end
    }
  }
  void keep(const std::shared_ptr<const void>& orb) {
    if (!orb_) orb_ = orb;
  }

 private:
  std::shared_ptr<const void> orb_;
};

KeptOrb& kept_orb() {
  thread_local KeptOrb kept;
  return kept;
}

}  // namespace

// The thread's own objects are destroyed in reverse order: the ORB outlives the thread's channels.
void Call::prepare_reading_thread(const client::Client& client, std::optional<giop::Priority> own) {
  kept_orb();
  reading_here = {&client, own};
}

void Call::let_go(std::shared_ptr<const void> orb) noexcept {
  if (client::ActiveConnection::is_reading_thread()) return kept_orb().keep(orb);
  if (PromptThread::is_this()) drop_elsewhere(std::move(orb), DeferredCalls::of_process());
}

bool Call::delivers_here() { return deliveries_here != 0 || client::ActiveConnection::is_reading_thread(); }

void Call::leave_no_slots() noexcept {
  if (deliveries_here == 0 && client::ActiveConnection::is_reading_thread()) forget_slots_and_policies();
}

Call::Call(AsyncCalls& of) : calls(of) {
  ended = &end_here;
  left = &leave_here;
}

void Call::begin(const std::shared_ptr<reference::ObjectRef>& target, const CallType& of_type) {
  references_.store(1, std::memory_order_relaxed);
  type = &of_type;
  if (ref != target) ref = target;
  loop.store(nullptr, std::memory_order_relaxed);
  has_extras = inherited.capture();
  deadline = Clock::time_point::max();
  timeout = {};
  redirections = 0;
  if (failure) [[unlikely]]
    failure = nullptr;
  exchange = {};
  cancelled.store(false, std::memory_order_relaxed);
  given_up.store(false, std::memory_order_relaxed);
  posted = false;
  watched = true;
  held = false;
  take_sent_listener();
}

void Call::destroy_sink() noexcept { type->destroy_sink(sink_); }

void Call::release() {
  // Only the owner of a reference makes another one.
  if (references_.load(std::memory_order_acquire) != 1 &&
      references_.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  if (failure) failure = nullptr;
  if (has_extras) [[unlikely]]
    clear_extras();
  if (holds_memory()) [[unlikely]]
    give_back_memory();
  if (!keeps_last_here) return give_back();
  if (Call* const before = std::exchange(kept_here, this)) before->give_back();
}

[[gnu::cold]] void Call::clear_extras() noexcept {
  policies.reset();
  if (kept_inbox) std::exchange(kept_inbox, nullptr)->release();
  exception_id.clear();
  if (sent_listener) drop_sent_listener();
  inherited.clear();
  has_extras = false;
}

Call* Call::take_kept(const reference::ObjectRef& target) noexcept {
  return kept_here && kept_here->ref.get() == &target ? std::exchange(kept_here, nullptr) : nullptr;
}

void Call::give_back() noexcept {
  const auto last = std::move(ref);  // keeps the ORB alive, and so `calls`
  to.reset();
  connection.reset();
  route = nullptr;
  calls.give_back(*this);
  if (client::ActiveConnection::is_reading_thread()) kept_orb().keep(last->references());
}

bool Call::goes_on() const {
  if (failure || ref->references()->down()) return false;
  if (exchange.status == Status::retry) return redirections < calls.client.options.max_redirections;
  if (exchange.status != Status::reply) return false;
  return reply.reply_status == giop::ReplyStatus::location_forward ||
         reply.reply_status == giop::ReplyStatus::location_forward_perm ||
         reply.reply_status == giop::ReplyStatus::needs_addressing_mode;
}

void Call::find_failure() noexcept {
  if (failure) return;
  try {
    if (ref->references()->down() && exchange.status != Status::reply)
      client::throw_orb_down(client::completion_of(exchange));
    if (exchange.status != Status::reply) throw_not_answered();
    if (reply.reply_status == giop::ReplyStatus::system_exception) throw_system_exception();
    if (reply.reply_status > giop::ReplyStatus::system_exception)
      client::throw_orb_down(CORBA::COMPLETED_NO);  // a forward that came too late
  } catch (...) {
    failure = Reply::present_failure(client::completion_of(exchange));
  }
}

[[gnu::always_inline]] inline void Call::complete_reply() {
  cdr::Decoder decoder = decoder_of_reply();
  if (reply.reply_status == giop::ReplyStatus::user_exception) {
    const std::string_view id = exception_id.empty() ? decoder.get_raw_string_view() : exception_id;
    Reply outcome(type->operation, decoder, id);
    return type->complete(sink_, outcome);
  }
  Reply outcome(type->operation, decoder);
  type->complete(sink_, outcome);
}

[[gnu::always_inline]] inline void Call::complete() {
  if (!failure) return complete_reply();
  Reply outcome(type->operation, failure);
  type->complete(sink_, outcome);
}

void Call::deliver_while_reading() noexcept {
  take_priority_of(*this);
  deliver();
  leave_no_slots();
}

bool Call::ends() noexcept {
  if (watched) Deadlines::of_process().remove(*this);
  if (!has_results()) find_failure();
  return !interception || !forwarded_by_interceptors();
}

void Call::deliver_end() noexcept {
  if (has_extras) [[unlikely]] {
    stop.reset();  // waits for one that runs in another thread
    if (sent_listener && exchange.status == Status::reply)
      report_sent();
    else if (sent_listener)
      report_not_sent();
  }
  ++deliveries_here;
  try {
    const reference::TraceScope trace(has_extras ? inherited.trace() : nullptr);
    complete();
  } catch (const std::exception& exception) {
    log(LogEvent::call_failed, std::string("its reply handler threw ") + exception.what());
  } catch (...) {
    log(LogEvent::call_failed, "its reply handler threw an unknown exception");
  }
  --deliveries_here;
  destroy_sink();
  calls.note_over();
  release();
}

cdr::Decoder Call::decoder_of_reply() {
  cdr::Format format = has_own_format ? own_format : route->server->format;
  format.order = reply.order;
  format.giop_minor = reply.version.minor;
  cdr::Decoder decoder(reply.body, reply.body_index, format);
  if (reply.body_missing != 0) decoder.set_source(reply.parts, reply.body_missing);
  return decoder;
}

cdr::Format Call::format_of_arguments() const {
  return route ? route->server->format : cdr::any_format(ref->references()->environment);
}

void Call::keep_reply(cdr::Decoder& body, giop::ReplyStatus status) {
  reply = {};
  reply.kind = giop::EventKind::reply;
  reply.order = body.format().order;
  reply.version = {1, body.format().giop_minor};
  reply.reply_status = status;
  reply.body_index = static_cast<std::uint32_t>(body.position());
  has_own_format = true;
  own_format = body.format();
  storage.resize(body.remaining());
  body.get_octets(storage);
  reply.body = storage;
  exchange = {};
  exchange.status = Status::reply;
}

void Call::throw_system_exception() {
  cdr::Decoder decoder = decoder_of_reply();
  giop::SystemExceptionBody body;
  if (!giop::read_system_exception(decoder, body))
    client::throw_unreadable_reply("the system exception", CORBA::COMPLETED_MAYBE, type->operation, where());
  client::note_missing_object(body, *ref, to.get());
  log(LogEvent::call_failed, "the server raised " + body.id);
  client::throw_raised_by_server(body, client::key_of(*ref, to.get()), type->operation, where());
}

void Call::throw_not_answered() {
  if (ended_by_cancelling()) {
    log(LogEvent::call_failed, "the program cancelled it");
    throw_cancelled(client::completion_of(exchange));
  }
  const bool by_policy = policies && policies->reply_by != Clock::time_point::max();
  if (exchange.status == Status::timeout && by_policy) {
    log(LogEvent::deadline_missed, std::string("it passed during: ") + exchange.phase);
    client::throw_too_late(type->operation, exchange.phase, client::completion_of(exchange));
  }
  log(LogEvent::call_failed,
      exchange.status == Status::timeout ? std::string("no answer in time") : exchange.reason);
  client::throw_exchange_failure(exchange, where(), type->operation, timeout);
}

std::string Call::where() const {
  return connection ? connection->describe() : std::string("an object of this process");
}

void Call::log(LogEvent event, const std::string& reason) const noexcept {
  EventLog* const to_log = calls.client.log.get();
  if (!takes(to_log, event)) return;
  try {
    const std::string peer = where();
    to_log->write({.event = event, .peer = peer, .operation = type->operation, .reason = reason});
  } catch (const std::bad_alloc&) {  // a line of the log is lost
  }
}

}  // namespace takt::async
