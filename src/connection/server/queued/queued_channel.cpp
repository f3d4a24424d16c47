#include "connection/server/queued/queued_channel.h"

#include <mutex>
#include <utility>

#include "connection/policies/request_quality.h"
#include "connection/server/own_answers.h"
#include "connection/server/present_peer.h"
#include "giop/close.h"
#include "giop/request.h"

namespace takt::connection {

using os::Interest;
using transport::IoResult;
using transport::IoStatus;
using Kind = giop::EventKind;

namespace {
std::atomic<std::uint64_t> next_number{1};
}  // namespace

QueuedChannel::QueuedChannel(std::unique_ptr<transport::Stream> stream, OrbCore& core, Host& host)
    : stream_(std::move(stream)),
      core_(core),
      host_(host),
      number_(next_number.fetch_add(1, std::memory_order_relaxed)),
      protocol_(giop::Connection::Role::server, core.options.limits),
      formats_(core.environment),
      own_reply_(512),
      outbox_(*stream_, core.options.fragment_bytes, core.options.send_timeout) {
  stream_->set_blocking(false);
}

bool QueuedChannel::on_ready(Interest ready) {
  heard_at_ = Clock::now();
  if (has(ready, Interest::write)) {
    std::lock_guard lock(mutex_);
    if (outbox_.flush() == Outbox::Flushed::failed) return false;
  }
  if (stop_reading_if_full()) return true;
  if (has(ready, Interest::read)) {
    const IoResult result = stream_->read(protocol_.read_space());
    if (result.status == IoStatus::ok)
      protocol_.bytes_read(result.bytes);
    else if (result.status != IoStatus::would_block)
      return false;
  }
  if (!take_events()) return false;
  std::lock_guard lock(mutex_);
  if (!paused_) watch_what_is_due();
  return true;
}

// True: enough of this connection is on its way; whoever finishes the next of it has it read on.
bool QueuedChannel::stop_reading_if_full() {
  std::lock_guard lock(mutex_);
  paused_ = pending() >= max_pending || outbox_.waiting();
  if (paused_ && outbox_.waiting()) watch_what_is_due();
  return paused_;
}

// With the mutex.
void QueuedChannel::watch_what_is_due() {
  if (closed_) return;
  const Interest reading = paused_ ? Interest::none : Interest::read;
  host_.watch(*this, reading | (outbox_.waiting() ? Interest::write : Interest::none));
}

// False: the connection is over.
bool QueuedChannel::take_events() {
  for (;;) {
    const giop::Event& event = protocol_.next_event();
    switch (event.kind) {
      case Kind::none:
        return !protocol_.mid_message() || !overdue(Clock::now(), {}) || send_message_error();
      case Kind::request:
        if (!take_request(event)) return false;
        break;
      case Kind::locate_request:
        answer_locate(event, formats_.of_reply(event), *core_.dispatcher, own_reply_);
        if (!post(own_reply_)) return false;
        break;
      case Kind::cancel:  // the answer is still allowed (CORBA 3.0.3, 15.4.4)
        break;
      case Kind::protocol_error:
        return send_message_error();
      default:  // close, message_error, replies to nobody
        return false;
    }
    if (stop_reading_if_full()) return true;
  }
}

// True: the connection goes on.
template <class Answer>
bool QueuedChannel::answer_at_once(const giop::Event& event, Answer answer) {
  ServerCall call({.request_id = event.request_id,
                   .giop_minor = event.version.minor,
                   .response_expected = event.response_expected,
                   .object_key = event.object_key,
                   .operation = event.operation},
                  {}, 0, formats_.of(event), own_reply_);
  answer(call);
  return !event.response_expected || post(own_reply_);
}

bool QueuedChannel::take_request(const giop::Event& event) {
  if (event.key_unknown) {
    if (!event.response_expected) return true;
    answer_with_need_of_key(event, formats_.of_reply(event), own_reply_);
    return post(own_reply_);
  }
  giop::KnownContexts known;
  if (!event.contexts.empty()) {
    known = giop::known_contexts(event.contexts);
    if (!formats_.note_code_sets(known.code_sets, event.version))
      return answer_at_once(event, [](ServerCall& call) { refuse_code_sets(call); });
  }
  QueueWorkers* workers = nullptr;
  try {
    workers = &host_.choose(*this, event, known);
  } catch (const CORBA::SystemException& refusal) {
    return answer_at_once(event, [&](ServerCall& call) { call.system_exception(refusal); });
  }
  const bool early_reply = event.response_flags == giop::response_from_server;
  if (early_reply && !answer_at_once(event, [](ServerCall& call) { call.begin_reply(false); })) return false;
  auto request = workers->blank();
  request->hold(shared_from_this(), event, formats_.of(event), known.priority(),
                event.response_expected && !early_reply);
  request->note(known, heard_at_);
  pending_.fetch_add(1);
  workers->queue(std::move(request));
  return true;
}

void QueuedChannel::serve(QueuedRequest& request, GatherBuffer& reply) {
  ServerCall call(request.context(), request.body(), request.body_index(), request.format(), reply);
  if (request.body_missing() != 0) call.arguments().set_source(request.parts(), request.body_missing());
  dispatch(request, call);
  if (call.response_expected() && !call.answered())
    call.system_exception(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE));
  done_with(request, call.response_expected() ? &reply : nullptr);
}

void QueuedChannel::dispatch(QueuedRequest& request, ServerCall& call) {
  const PresentPeer present(peer_);
  if (!request.quality()) return core_.dispatcher->dispatch(call);
  const ReceivedQuality received(*request.quality(), request.arrived_at());
  if (received.in_time())
    core_.dispatcher->dispatch(call);
  else
    answer_too_late(call, core_);
}

void QueuedChannel::refuse(QueuedRequest& request) {
  ServerCall call(request.context(), {}, 0, request.format(), own_reply_);
  call.system_exception(
      CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "all threads are busy, and as many requests wait as may"));
  done_with(request, call.response_expected() ? &own_reply_ : nullptr);
}

void QueuedChannel::done_with(QueuedRequest& request, GatherBuffer* reply) {
  const auto alive = shared_from_this();  // which may be the last to know
  request.release();
  std::lock_guard lock(mutex_);
  pending_.fetch_sub(1);
  if (closed_) return;
  const bool sent = !reply || outbox_.send(*reply);
  if (!sent) stream_->shut_down();
  if (sent && !paused_ && !outbox_.waiting()) return;
  // To be written on, read on or given up by the reader. What is to be read may be in the buffer already, so
  // it is called as soon as the stream can be written.
  done_at_ = Clock::now();  // a peer that does not read can put it off
  host_.watch(*this, Interest::write);
}

bool QueuedChannel::post(GatherBuffer& reply) {
  std::lock_guard lock(mutex_);
  return outbox_.send(reply);
}

// The connection is over in any case.
bool QueuedChannel::send_message_error() {
  std::lock_guard lock(mutex_);
  outbox_.end_with(giop::message_error(core_.options.giop_minor), {});
  return false;
}

void QueuedChannel::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
}

void QueuedChannel::close_orderly(Clock::time_point until) {
  std::lock_guard lock(mutex_);
  closed_ = true;
  outbox_.end_with(giop::close_connection(protocol_.version()), until);
}

bool QueuedChannel::overdue(Clock::time_point now, std::chrono::nanoseconds idle_timeout) {
  {
    std::lock_guard lock(mutex_);
    if (outbox_.waiting()) return outbox_.overdue(now);
    if (paused_) return pending() == 0 && now - done_at_ > core_.options.send_timeout;
  }
  if (const auto deadline = protocol_.next_deadline(now)) return *deadline <= now;
  return idle_timeout.count() > 0 && pending() == 0 && now - heard_at_ > idle_timeout;
}

}  // namespace takt::connection
