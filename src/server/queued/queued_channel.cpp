#include "server/queued/queued_channel.h"

#include <mutex>
#include <optional>
#include <utility>

#include "giop/close.h"
#include "giop/message/request.h"
#include "server/concurrency.h"
#include "server/own_answers.h"
#include "server/queued/present_arrival.h"
#include "server/read_delay.h"
#include "server/refusals.h"
#include "server/request_quality.h"

namespace takt::server {

using os::Interest;
using transport::IoResult;
using transport::IoStatus;
using Kind = giop::EventKind;

namespace {
constexpr std::size_t refusal_bytes = 512;
}  // namespace

QueuedChannel::QueuedChannel(std::unique_ptr<transport::Stream> stream, Server& server, Host& host,
                             giop::Connection&& protocol, const RequestFormats* formats)
    : stream_(std::move(stream)),
      server_(server),
      host_(host),
      number_(next_connection_number()),
      protocol_(std::move(protocol)),
      formats_(server.environment, &protocol_.memory()),
      own_reply_(512),
      outbox_(*stream_, server.protocol.fragment_bytes, server.options.send_timeout, &protocol_.memory()) {
  stream_->set_blocking(false);
  protocol_.stop_streaming();  // a blocking strategy may have begun it
  if (formats) formats_.take_from(*formats);
}

void QueuedChannel::open_both_ways(std::shared_ptr<OwnRequests> ours) {
  protocol_.allow_bidirectional();
  std::lock_guard lock(mutex_);
  ours_ = std::move(ours);
}

bool QueuedChannel::go_on_with_last_event() {
  return take_request(protocol_.last_event()) && !stop_reading_if_full() && take_events();
}

bool QueuedChannel::on_ready(Interest ready) noexcept {
  try {
    return go_on(ready);
  } catch (const std::exception& failure) {
    tell_lost(failure, server_);
    return false;
  }
}

bool QueuedChannel::go_on(Interest ready) {
  heard_at_ = Clock::now();
  bool readable = has(ready, Interest::read);
  if (has(ready, Interest::write)) {
    std::lock_guard lock(mutex_);
    if (outbox_.flush() == Outbox::Flushed::failed) {
      if (!ours_) return false;
      stream_->shut_down_reading();  // what the peer may have said before is read, and then the end
      readable = true;
    }
  }
  if (delays_reads()) return true;
  do {
    if (stop_reading_if_full()) return true;
    if (readable || stream_->holds_octets()) {
      const IoResult result = stream_->read(protocol_.read_space());
      if (result.status == IoStatus::ok)
        protocol_.bytes_read(result.bytes);
      else if (result.status != IoStatus::would_block)
        return false;
    }
    if (!take_events()) return false;
    readable = false;
  } while (stream_->holds_octets());
  std::lock_guard lock(mutex_);
  write_on_after_reading();
  if (!paused_) watch_what_is_due();
  return true;
}

// True: enough of this connection is on its way; whoever finishes the next of it has it read on.
bool QueuedChannel::stop_reading_if_full() {
  std::lock_guard lock(mutex_);
  write_on_after_reading();
  // One that carries replies to us is read on, since what is pending may wait for those.
  if (ours_) return false;
  paused_ = pending() >= max_pending || outbox_.waiting();
  if (paused_ && outbox_.waiting()) watch_what_is_due();
  return paused_ || (refused_too_fast_ >= ReadDelay::refused_at_once && delay_reads());
}

// With the mutex. What has been read and not been taken waits, too. False: it cannot.
bool QueuedChannel::delay_reads() {
  refused_too_fast_ = 0;
  return host_.delay(*this, unread_until_);
}

// True: it is not read yet. Replies to us are, and what is to be written is written meanwhile.
bool QueuedChannel::delays_reads() {
  std::lock_guard lock(mutex_);
  if (unread_until_ <= heard_at_ || ours_ || outbox_.waiting()) return false;
  return delay_reads();
}

// With the mutex. What makes room may have come while a worker found that there was none.
void QueuedChannel::write_on_after_reading() {
  if (!outbox_.waiting() || !stream_->write_waits_for_read()) return;
  if (outbox_.flush() == Outbox::Flushed::failed) stream_->shut_down();
}

// A few requests may be long, and many must be short. A peer that does not read gets no more to be kept.
bool QueuedChannel::refuses_more() {
  if (pending() >= max_pending_both_ways ||
      (pending() >= max_pending && pending_octets_.load() >= max_pending_octets_both_ways))
    return true;
  std::lock_guard lock(mutex_);
  return outbox_.kept_bytes() > server_.protocol.limits->message_bytes;
}

// With the mutex.
void QueuedChannel::watch_what_is_due() {
  if (closed_) return;
  const Interest reading = paused_ ? Interest::none : Interest::read;
  host_.watch(*this, reading | (outbox_.waiting() ? outbox_.waits_for() : Interest::none));
}

// False: the connection is over.
bool QueuedChannel::take_events() {
  for (;;) {
    const giop::Event& event = protocol_.next_event();
    switch (event.kind) {
      case Kind::none:
        return !protocol_.mid_message() || !message_overdue(Clock::now()) || send_message_error();
      case Kind::request:
      case Kind::refused_request:
        if (!take_request(event)) return false;
        break;
      case Kind::locate_request:
        served_at_ = heard_at_;
        answer_locate(event, formats_.of_reply(event), *server_.dispatcher, own_reply_);
        if (!post(own_reply_)) return false;
        break;
      case Kind::cancel:  // the answer is still allowed (CORBA 3.0.3, 15.4.4)
        break;
      case Kind::protocol_error:
        tell_version_refused(event, server_);
        return send_message_error();
      default:
        if (!take_other(event)) return false;
        break;
    }
    if (stop_reading_if_full()) return true;
  }
}

// Replies to us, if we ask; close, message_error and replies to nobody end the connection.
bool QueuedChannel::take_other(const giop::Event& event) {
  if (!ours_) return false;
  if (event.kind == Kind::locate_reply) return true;
  if (event.kind == Kind::reply || event.kind == Kind::refused_reply) {
    ours_->deliver(event);
    return true;
  }
  if (event.kind == Kind::close) {
    over_ = true;  // before any caller asks for another
    ours_->end(OwnRequests::Ending::in_good_order);
  }
  return false;
}

// The peer says that its own objects are reached over this connection.
void QueuedChannel::consider_offer(const giop::Event& event, ByteView context) {
  if (ours_ || !server_.both_ways || event.version.minor < 2) return;
  auto points = server_.both_ways->accepted(context, *stream_);
  if (points.empty()) return;
  server_.both_ways->use_for_callbacks(shared_from_this(), std::move(points));
}

// True: the connection goes on.
template <class Answer>
bool QueuedChannel::answer_at_once(const giop::Event& event, Answer answer) {
  ServerCall call(context_of(event), {}, 0, formats_.of(event), own_reply_);
  answer(call);
  return !event.response_expected || post(own_reply_);
}

// What holds for the connection from now on.
void QueuedChannel::note_contexts(const giop::Event& event, const giop::KnownContexts& known) {
  if (known.offered_number) protocol_.learn(*known.offered_number);
  if (known.compression)
    if (const auto wanted = known.compression->accepted_by(protocol_.methods()))
      packer_.agree(server_.protocol.compression, protocol_.expansion(), protocol_.methods(), *wanted);
  if (!known.listen_points.empty()) consider_offer(event, known.listen_points);
}

// Where both sides make requests, the connection is marked as the client's are.
void QueuedChannel::mark_as(const giop::KnownContexts& known) {
  if (server_.connections.marks_calls() && !ours_)
    marking_.follow(*stream_, server_.connections, known.priority(), known.quality);
}

bool QueuedChannel::take_request(const giop::Event& event) {
  served_at_ = heard_at_;
  giop::KnownContexts known;
  if (!event.contexts.empty()) {
    known = giop::known_contexts(event.contexts);
    note_contexts(event, known);
  }
  mark_as(known);
  if (ours_ && begins_no_more_) return true;
  if (ours_ && refuses_more())  // and yet it must be read on
    return answer_at_once(event, [](ServerCall& call) {
      call.system_exception(
          CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "as many requests of this connection are pending as may"));
    });
  if (event.key_unknown) {
    if (!event.response_expected) return true;
    answer_with_need_of_key(event, formats_.of_reply(event), own_reply_);
    return post(own_reply_);
  }
  if (!event.contexts.empty() && !formats_.note_code_sets(known.code_sets, event.version))
    return answer_at_once(event, [](ServerCall& call) { refuse_code_sets(call); });
  if (event.kind == Kind::refused_request)
    return answer_at_once(event, [&](ServerCall& call) { answer_without_memory(event, call); });
  const RequestTimes times = RequestTimes::of(known);
  if (const ByTimes refused = times.any() ? judge(times) : ByTimes::may_wait; refused != ByTimes::may_wait)
      [[unlikely]]
    return answer_at_once(event, [&](ServerCall& call) { answer_refused(call, refused); });
  HeldTiming timing(server_.schedule, event.object_key, event.operation);
  QueueWorkers* workers = nullptr;
  try {
    workers = &host_.choose(*this, event, known, timing.get());
  } catch (const CORBA::SystemException& refusal) {
    return answer_at_once(event, [&](ServerCall& call) { call.system_exception(refusal); });
  }
  return queue(event, known, times, *workers, std::move(timing));
}

[[gnu::cold]] QueuedChannel::ByTimes QueuedChannel::judge(const RequestTimes& times) const {
  const auto now = Clock::now();
  if (times.is_over(now)) return ByTimes::too_late;
  const bool too_far = times.start > now && times.start - now > server_.options.hold_timeout.get();
  return too_far ? ByTimes::too_early : ByTimes::may_wait;
}

[[gnu::cold]] void QueuedChannel::answer_refused(ServerCall& call, ByTimes refused) {
  if (refused == ByTimes::too_late)
    answer_too_late(call, server_);
  else
    answer_too_early(call);
}

// True: the connection goes on, also where there is no memory for the request.
bool QueuedChannel::queue(const giop::Event& event, const giop::KnownContexts& known,
                          const RequestTimes& times, QueueWorkers& workers, HeldTiming timing) {
  const bool early_reply = event.response_flags == giop::response_from_server;
  auto request = workers.blank();
  bool held = false, fits_later = false;
  try {
    held = request->hold(shared_from_this(), event, formats_.of(event), known.priority(),
                         event.response_expected && !early_reply);
    fits_later = !held && memory().could_take(event.body.size() + event.body_missing);
  } catch (const std::bad_alloc&) {  // which the caller is told
  }
  if (!held) {
    giop::Event refused = event;
    refused.fits_later = fits_later;
    return answer_at_once(event, [&](ServerCall& call) { answer_without_memory(refused, call); });
  }
  request->note(known, heard_at_, std::move(timing), times);
  pending_.fetch_add(1);
  pending_octets_.fetch_add(request->octets());
  const bool too_early = times.start > Clock::now();
  const bool queued = workers.queue(std::move(request));
  if (!early_reply) return true;
  return answer_at_once(event, [&](ServerCall& call) {
    if (queued)
      call.begin_reply(false);
    else if (too_early)
      answer_too_early(call);
    else
      refuse_overload(call);
  });
}

void QueuedChannel::serve(QueuedRequest& request, GatherBuffer& reply) noexcept {
  GatherBuffer* answer = nullptr;
  try {
    ServerCall call(request.context(), request.body(), request.body_index(), request.format(), reply);
    if (request.body_missing() != 0) call.arguments().set_source(request.parts(), request.body_missing());
    dispatch(request, call);
    if (call.response_expected() && !call.answered())
      call.system_exception(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE));
    answer = call.response_expected() ? &reply : nullptr;
  } catch (const std::exception& failure) {  // not the servant's: its caller could not be told of that
    tell_lost(failure, server_);
    stream_->shut_down();
  }
  done_with(request, answer);
}

void QueuedChannel::dispatch(QueuedRequest& request, ServerCall& call) {
  const PresentPeer present(peer_);
  const PresentArrival arrival(request.timing(), request.arrived_at());
  std::optional<ReceivedQuality> received;
  if (request.quality()) received.emplace(*request.quality(), request.arrived_at(), number_);
  const bool in_time = !received || received->in_time();
  if (request.times().any())
    dispatch_timed(request.times(), call, in_time);
  else if (in_time)
    server_.dispatcher->dispatch(call);
  else
    answer_too_late(call, server_);
  if (!ReadDelay::asked()) return;
  std::lock_guard lock(mutex_);
  unread_until_ = ReadDelay::take();
  ++refused_too_fast_;
}

// The queue gives it before its start time only where the server ends.
void QueuedChannel::dispatch_timed(const RequestTimes& times, ServerCall& call, bool in_time) {
  const auto now = Clock::now();
  const TimedRequest timed(times);
  if (!in_time || times.is_over(now)) return answer_too_late(call, server_);
  if (times.start > now) return answer_too_early(call);
  server_.dispatcher->dispatch(call);
  refuse_late_reply(call, times);
}

// The reader's thread of this channel or of another one, whose request took this one's place.
void QueuedChannel::refuse(QueuedRequest& request) {
  GatherBuffer reply(refusal_bytes);
  ServerCall call(request.context(), {}, 0, request.format(), reply);
  if (request.times().start > Clock::now())
    answer_too_early(call);
  else
    refuse_overload(call);
  done_with(request, call.response_expected() ? &reply : nullptr);
}

// With the mutex. False: the connection is over.
bool QueuedChannel::send(GatherBuffer& message) noexcept {
  try {
    if (outbox_.send(message)) return true;
    if (outbox_.out_of_memory()) tell_not_taken(server_);
  } catch (const std::exception& failure) {
    tell_lost(failure, server_);
  }
  return false;
}

void QueuedChannel::done_with(QueuedRequest& request, GatherBuffer* reply) {
  const auto alive = shared_from_this();  // which may be the last to know
  pending_octets_.fetch_sub(request.octets());
  request.release();
  served_at_ = Clock::now();
  std::optional<ReplyPacker::Packed> packed;  // before anybody is kept waiting
  bool sent = true;
  try {
    if (reply) packed.emplace(packer_, *reply);
  } catch (const std::exception& failure) {
    tell_lost(failure, server_);
    sent = false;
  }
  std::lock_guard lock(mutex_);
  pending_.fetch_sub(1);
  if (closed_) return;
  if (packed) sent = send(packed->message());
  if (!sent) stream_->shut_down();
  const bool took_in = stream_->holds_octets() && stream_->write_waits_for_read();
  if (sent && !paused_ && !outbox_.waiting() && !took_in) return;
  // To be written on, read on or given up by the reader. What is to be read may be in the buffer already, so
  // it is called as soon as the stream can be written.
  if (ours_) return watch_what_is_due();
  done_at_ = Clock::now();  // a peer that does not read can put it off
  host_.watch(*this, Interest::write);
}

bool QueuedChannel::post(GatherBuffer& reply) {
  ReplyPacker::Packed packed(packer_, reply);
  std::lock_guard lock(mutex_);
  // Of a peer that sends requests and reads no replies, not everything is kept.
  if (outbox_.kept_bytes() > 2 * server_.protocol.limits->message_bytes) return false;
  return send(packed.message());
}

std::uint32_t QueuedChannel::next_request_id() {
  std::lock_guard lock(mutex_);
  return protocol_.next_request_id();
}

bool QueuedChannel::waits_for_reply() {
  std::lock_guard lock(mutex_);
  return ours_ && ours_->waits();
}

QueuedChannel::Sent QueuedChannel::send_request(GatherBuffer& request, bool response_expected) {
  ReplyPacker::Packed packed(packer_, request);
  std::lock_guard lock(mutex_);
  if (closed_ || outbox_.cut()) return Sent::closed;
  // Nobody waits for the peer to take a oneway.
  if (!response_expected && outbox_.kept_bytes() > server_.protocol.limits->message_bytes)
    return Sent::refused;
  if (!send(packed.message())) {
    stream_->shut_down_reading();  // the reader gets what the peer may have said before, and then the end
    return Sent::failed;
  }
  if (outbox_.waiting()) watch_what_is_due();
  return Sent::all;
}

// The connection is over in any case.
bool QueuedChannel::send_message_error() {
  std::lock_guard lock(mutex_);
  outbox_.end_with(giop::message_error(server_.protocol.minor), {});
  return false;
}

void QueuedChannel::close() {
  over_ = true;
  std::shared_ptr<OwnRequests> ours;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    ours = ours_;
  }
  if (ours) ours->end(OwnRequests::Ending::without_a_word);
}

void QueuedChannel::say_closed() {
  std::lock_guard lock(mutex_);
  if (!outbox_.waiting()) outbox_.close(protocol_.version());
}

Parting QueuedChannel::parting() {
  close();
  return {stream_.get(), &outbox_, protocol_.version(), protocol_.mid_message()};
}

void QueuedChannel::give_back_memory(Clock::time_point now) {
  if (protocol_.mid_message() || now - heard_at_ < sweep_interval) return;
  protocol_.trim(idle_buffer_bytes);
  own_reply_.clear(idle_buffer_bytes);
}

bool QueuedChannel::message_overdue(Clock::time_point now) {
  const auto deadline = protocol_.next_deadline(now);
  return deadline && *deadline <= now;
}

bool QueuedChannel::overdue(Clock::time_point now) {
  {
    std::lock_guard lock(mutex_);
    if (outbox_.waiting()) return outbox_.overdue(now);
    if (paused_) return pending() == 0 && now - done_at_ > server_.options.send_timeout.get();
  }
  if (message_overdue(now)) return true;
  return !ours_ && pending() == 0 && is_idle(now - served_at_.load(), protocol_.mid_message(), server_);
}

}  // namespace takt::server
