#include "queued/queued_channel.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/fair_turn.h"
#include "concurrency/connections/connection_set.h"
#include "concurrency/strategy/concurrency.h"
#include "concurrency/strategy/read_delay.h"
#include "giop/close.h"
#include "giop/message/request.h"
#include "queued/order/request_order.h"
#include "queued/present_arrival.h"
#include "server/channel/server_channel.h"
#include "server/intake/own_answers.h"
#include "server/intake/request_terms.h"
#include "server/reports.h"
#include "server/request/request_urgency.h"
#include "threads/scheduling/scheduling.h"
#include "transport/batch/batch_guard.h"
#include "transport/batch/write_batch.h"

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
    : LateSender(server.options.longest_reply),
      stream_(std::move(stream)),
      server_(server),
      host_(host),
      intake_(*this, *stream_, server, std::move(protocol), formats),
      out_(*stream_, server.protocol.fragment_bytes, server.options.send_timeout, &memory()) {
  stream_->set_blocking(false);
  stream_->let_defer(false);  // workers write
  intake_.formats().peer().share();
  intake_.protocol().stop_streaming();  // a blocking strategy may have turned it on
  if (!stream_->capabilities().zero_copy) intake_.protocol().gather_tails();
}

void QueuedChannel::open_bidirectional(std::shared_ptr<OwnRequests> ours, const cdr::CodeSets* chosen) {
  intake_.protocol().allow_bidirectional();
  if (chosen) intake_.formats().note_code_sets(*chosen, giop::Version{1, 2});
  std::lock_guard lock(mutex_);
  ours_ = std::move(ours);
}

bool QueuedChannel::go_on_with_last_event() {
  return take_request(intake_.protocol().last_event()) && !stop_reading_if_full() && take_events();
}

bool QueuedChannel::on_ready(Interest ready) noexcept {
  try {
    if (!go_on(ready)) return false;
    // A connection with requests to the peer ends when its last octets have been read.
    return !write_failed_ || ours_ || end({reply_not_sent});
  } catch (const std::exception& failure) {
    report_lost(failure, server_);
    return false;
  }
}

bool QueuedChannel::go_on(Interest ready) {
  heard_at_ = Clock::now();
  bool readable = has(ready, Interest::read);
  if (has(ready, Interest::write)) {
    std::lock_guard lock(mutex_);
    if (out_.flush() == WriteBuffer::Flushed::failed) {
      if (!ours_) return end({reply_not_sent});
      stream_->shut_down_reading();  // reads what the peer has sent before, and then the end
      readable = true;
    }
  }
  if (delays_reads()) return true;
  constexpr unsigned most_reads = 4;  // then other connections have their turn, even in a long message
  unsigned reads = 0;
  looked_at_ = heard_at_;
  do {
    if (stop_reading_if_full()) return true;
    if (readable || stream_->holds_octets()) {
      const IoResult result = stream_->read(intake_.protocol().read_space());
      end_read();
      if (result.status == IoStatus::ok)
        intake_.protocol().bytes_read(result.bytes);
      else if (result.status != IoStatus::would_block)
        return end(ConnectionEnding::of(result));
    }
    if (!take_events()) return false;
    readable = intake_.protocol().more_is_likely() && ++reads < most_reads;
  } while (!leaves_turn_ && (readable || stream_->holds_octets()));
  end_round();
  return true;
}

// Watches again. When the channel leaves its turn, the reader looks at it again after the others, and takes
// what has arrived before it reads more.
void QueuedChannel::end_round() {
  std::lock_guard lock(mutex_);
  write_on_after_reading();
  if (std::exchange(leaves_turn_, false)) [[unlikely]] {
    if (!closed_) host_.watch(*this, Interest::write);
  } else if (!paused_) {
    watch_what_is_due();
  }
}

// Whether requests that have come together are left for later, because other connections wait for the reader.
// A connection with replies to us is read on.
bool QueuedChannel::turn_is_over() {
  if (ours_ || !intake_.protocol().has_whole_header()) return false;
  const auto now = Clock::now();
  if (now - looked_at_ < FairTurn::span) return false;
  looked_at_ = now;
  leaves_turn_ = host_.others_wait(*this);
  return leaves_turn_;
}

// True: reading must pause, because enough requests of the connection are pending or replies are unsent. The
// next worker that finishes a request resumes it.
bool QueuedChannel::stop_reading_if_full() {
  std::lock_guard lock(mutex_);
  write_on_after_reading();
  // A connection with replies to us is read on, because pending requests may wait for those replies.
  if (ours_) return false;
  paused_ = pending() >= max_pending || out_.waiting();
  if (paused_ && out_.waiting()) watch_what_is_due();
  return paused_ || (refused_too_fast_ >= ReadDelay::refused_at_once && delay_reads());
}

// Call with the mutex. Delays reading; messages that were read but not taken wait too. False: the reader
// cannot delay.
bool QueuedChannel::delay_reads() {
  refused_too_fast_ = 0;
  return host_.delay(*this, unread_until_);
}

// True: reading is delayed. A connection with replies to us, or with unsent replies, is not delayed.
bool QueuedChannel::delays_reads() {
  std::lock_guard lock(mutex_);
  if (unread_until_ <= heard_at_ || ours_ || out_.waiting()) return false;
  return delay_reads();
}

// Call with the mutex. Reading may have made room for octets that a worker could not write.
void QueuedChannel::write_on_after_reading() {
  if (write_failed_ || !out_.waiting() || !stream_->write_waits_for_read()) return;
  write_failed_ = out_.flush() == WriteBuffer::Flushed::failed;
  if (write_failed_) stream_->shut_down();
}

// Limits pending requests by count and by bytes, and the kept replies of a peer that does not read.
bool QueuedChannel::refuses_more() {
  if (pending() >= max_pending_bidirectional ||
      (pending() >= max_pending && pending_octets_.load() >= max_pending_octets_bidirectional))
    return true;
  std::lock_guard lock(mutex_);
  return out_.kept_bytes() > server_.protocol.limits->message_bytes;
}

// Call with the mutex.
void QueuedChannel::watch_what_is_due() {
  if (closed_) return;
  const Interest reading = paused_ ? Interest::none : Interest::read;
  host_.watch(*this, reading | (out_.waiting() ? out_.waits_for() : Interest::none));
}

// False: the rest of a message is overdue, and the connection is over.
bool QueuedChannel::may_wait_for_rest() {
  if (!intake_.protocol().mid_message() || !intake_.message_overdue(Clock::now())) return true;
  send_message_error();
  return end({message_not_complete});
}

// False: the connection is over.
bool QueuedChannel::take_events() {
  giop::Connection& protocol = intake_.protocol();
  for (;;) {
    const giop::Event& event = protocol.next_event();
    switch (event.kind) {
      case Kind::none:
        return may_wait_for_rest();
      case Kind::request:
      case Kind::refused_request:
        if (!take_request(event)) return false;
        break;
      case Kind::locate_reply:
      case Kind::reply:
      case Kind::refused_reply:
      case Kind::close:
        if (!take_own_reply(event)) return false;
        break;
      default:
        if (event.kind == Kind::locate_request) served_at_ = heard_at_;
        if (const auto ending = ConnectionEnding::of(event); !intake_.take_other(event)) return end(ending);
        break;
    }
    if (stop_reading_if_full() || turn_is_over()) return true;
  }
}

bool QueuedChannel::end(const ConnectionEnding& ending) {
  ending_ = ending;
  return false;
}

// Takes replies to our own requests, and the peer's CloseConnection. False: the connection is over.
bool QueuedChannel::take_own_reply(const giop::Event& event) {
  if (!ours_ || event.kind == Kind::close) ending_ = ConnectionEnding::of(event);
  if (!ours_) return false;
  if (event.kind == Kind::close) {
    over_ = true;  // before any caller asks for another connection
    ours_->end(OwnRequests::Ending::in_good_order);
    return false;
  }
  if (event.kind != Kind::locate_reply) ours_->deliver(event);
  return true;
}

void QueuedChannel::compress_replies(giop::compression::Wanted wanted) {
  const giop::Connection& protocol = intake_.protocol();
  packer_.agree(server_.protocol.compression, protocol.expansion(), protocol.methods(), wanted);
}

// The connection stays with these threads, because they read while others serve.
bool QueuedChannel::take_offer(std::vector<giop::HostPort> points) {
  if (!ours_) server_.bidirectional->use_for_callbacks(shared_from_this(), std::move(points));
  return false;
}

// False: the connection is over.
bool QueuedChannel::take_request(const giop::Event& event) {
  served_at_ = heard_at_;
  giop::KnownContexts known;
  if (!event.contexts.empty()) known = giop::known_contexts(event.contexts);
  const Verdict verdict = intake_.note(event, known);
  // If both sides make requests, the connection keeps the marking of a client's connection.
  if (intake_.marks() && !ours_) intake_.mark(known.priority(), known.quality);
  if (ours_ && begins_no_more_) return true;
  if (ours_ && refuses_more()) return intake_.refuse(event, Verdict::too_many_pending);  // reading continues
  if (event.key_unknown) return intake_.ask_for_key(event);
  if (verdict != Verdict::granted) return intake_.refuse(event, verdict);
  const RequestTimes times = RequestTimes::of(known, heard_at_);
  if (const Verdict in_time = intake_.judge(times); in_time != Verdict::granted) [[unlikely]]
    return intake_.refuse(event, in_time);
  HeldTiming timing(server_.schedule, event.object_key, event.operation);
  QueueWorkers* workers = nullptr;
  try {
    workers = &host_.choose(*this, event, known, timing.get());
  } catch (const CORBA::SystemException& refusal) {
    return intake_.refuse(event, refusal);
  }
  return queue(event, known, times, *workers, std::move(timing));
}

namespace {
// A queue in order of arrival puts no request of a usual connection before others, whatever its client
// states.
RequestUrgency* urgencies_for(const PoolThreads& threads, bool is_bidirectional) {
  const bool ranks = threads.order && threads.order != &request_order(QueueOrder::temporal);
  return is_bidirectional || ranks ? threads.urgencies : nullptr;
}
}  // namespace

// Queues the request, or refuses it. True: the connection goes on.
bool QueuedChannel::queue(const giop::Event& event, const giop::KnownContexts& known,
                          const RequestTimes& times, QueueWorkers& workers, HeldTiming timing) {
  // With an object that is known, the client need not wait until a thread is free.
  const bool confirmed =
      event.response_flags == giop::response_from_server &&
      server_.dispatcher.load()->locate(event.object_key).status == reference::LocateAnswer::Status::here;
  auto request = workers.blank();
  intake_.formats().follow_peer();
  bool held = false, fits_later = false;
  try {
    held = request->hold(shared_from_this(), event, intake_.formats().of(event), known.priority(),
                         event.response_expected && !confirmed, intake_.protocol().tail());
    fits_later = !held && memory().could_take(event.body.size() + event.body_missing);
  } catch (const std::bad_alloc&) {  // the caller is told
  }
  if (!held) return intake_.refuse(event, fits_later ? Verdict::memory_taken : Verdict::too_long);
  timing.police(heard_at_, number(), known.quality ? known.quality->period : std::chrono::nanoseconds(0));
  request->note(known, heard_at_, std::move(timing), times);
  request->note_sender(&in_queues_);
  note_others(*request, known.priority());
  note_urgency(*request, urgencies_for(workers.options(), ours_ != nullptr));
  pending_.fetch_add(1);
  pending_octets_.fetch_add(request->octets());
  const bool too_early = times.start > Clock::now();
  const bool queued = workers.queue(std::move(request));
  if (!confirmed) return true;
  if (queued) return intake_.acknowledge(event);
  return intake_.refuse(event, too_early ? Verdict::too_early : Verdict::queue_full);
}

// Only a request's head says how urgent it is, so the reader runs as the most urgent request of the
// connection so far wants, for the sake of the next one.
void QueuedChannel::note_urgency(QueuedRequest& request, RequestUrgency* urgencies) {
  if (!urgencies) return;
  const RequestContext& context = request.context();
  const os::Urgency urgency = urgencies->urgency_of(context.object_key, context.priority);
  request.note_urgency(urgency);
  if (urgency == 0) return;
  const std::lock_guard lock(mutex_);
  if (urgency > highest_urgency_ && !closed_)
    reader_loan().change(std::exchange(highest_urgency_, urgency), urgency);
}

// Notes whether requests have come together. Replies to such ones may be held from then on.
void QueuedChannel::note_others(QueuedRequest& request, std::int16_t priority) {
  read_brings_several_ |= intake_.protocol().has_whole_header();
  if (!read_brings_several_ || priority >= 0 || server_.options.reply_hold.get().count() == 0) return;
  if (!batches_) {
    const std::lock_guard lock(mutex_);
    if (ours_) return;
    const auto guard = server_.reply_guard.get();
    const auto batch =
        std::make_shared<transport::WriteBatch>(*stream_, false, server_.options.reply_hold, *guard);
    guard->watch(batch);
    out_.use_batch(batch);
    batches_ = true;
  }
  request.note_others();
  pending_together_.fetch_add(1);
}

// Gives up holding replies when no requests have come together for some time.
void QueuedChannel::end_read() {
  constexpr unsigned many = 64;
  if (batches_) {
    lone_reads_ = read_brings_several_ ? 0 : lone_reads_ + 1;
    if (lone_reads_ > many && pending_together_.load() == 0) {
      const std::lock_guard lock(mutex_);
      if (send_or_hold(nullptr, true)) out_.use_batch(nullptr);
      batches_ = false;
    }
  }
  read_brings_several_ = false;
}

// Sends the answer before the call is destroyed, because the upcall's priority holds until then.
void QueuedChannel::serve(QueuedRequest& request, ReplyBuffer& reply, RequestQueue* queue) noexcept {
  const auto alive = shared_from_this();  // the request may hold the last reference to this channel
  try {
    const PresentPeer present(intake_.peer());
    const PresentArrival arrival(request.held_timing(), request.arrived_at());
    const RequestTerms terms(request.times(), request.quality(), request.arrived_at(), number());
    reply.path = this;
    ServerCall call = request.received().call(reply);
    if (request.body_missing() != 0) call.arguments().set_source(request.rest(), request.body_missing());
    if (request.replies_early() && call.response_expected()) [[unlikely]]
      run_early(call, terms.verdict(), reply);
    else
      dispatch(call, terms.verdict(), terms.times(), server_);
    if (ReadDelay::asked()) note_refused_too_fast();
    if (call.response_expected() && !call.answered()) answer_unknown(call);
    done_with(request, call.response_expected() ? &reply : nullptr, queue);
  } catch (const std::exception& failure) {  // not from the servant: the answer could not be made
    report_lost(failure, server_);
    stream_->shut_down();
    done_with(request, nullptr);
  }
}

[[gnu::cold, gnu::noinline]] void QueuedChannel::run_early(ServerCall& call, Verdict verdict,
                                                           ReplyBuffer& reply) {
  struct Early final : EarlyReply {
    Early(QueuedChannel& from, ReplyBuffer& message) : channel(from), buffer(message) {}
    bool send(ServerCall& call) noexcept override {
      try {
        call.begin_reply(false);
      } catch (const std::exception&) {  // no memory: the call is answered with that
        call.discard_answer();
        return false;
      }
      call.expect_no_response();
      channel.send_and_go_on(&buffer, Done::early_reply);
      call.discard_answer();
      return true;
    }
    QueuedChannel& channel;
    ReplyBuffer& buffer;
  } early(*this, reply);
  dispatch_early(call, verdict, early, server_);
}

[[gnu::cold]] void QueuedChannel::note_refused_too_fast() {
  std::lock_guard lock(mutex_);
  unread_until_ = ReadDelay::take();
  ++refused_too_fast_;
}

// Called by the reader of this channel, or of another channel whose request took this one's place in the
// queue.
[[gnu::cold]] void QueuedChannel::refuse(QueuedRequest& request) noexcept {
  const auto alive = shared_from_this();
  try {
    GatherBuffer reply(refusal_bytes);
    const PresentPeer present(intake_.peer());
    ServerCall call = request.received().call(reply);
    const bool too_early = request.times().start > Clock::now();
    server::refuse(call, too_early ? Verdict::too_early : Verdict::queue_full, server_);
    done_with(request, call.response_expected() ? &reply : nullptr);
  } catch (const std::exception& failure) {  // the client sees the connection end
    report_lost(failure, server_);
    stream_->shut_down();
    done_with(request, nullptr);
  }
}

// Call with the mutex. False: the connection is over.
bool QueuedChannel::send_locked(GatherBuffer& message, bool may_hold) noexcept {
  try {
    if (may_hold && !out_.gathers()) out_.gather();
    if (out_.send(message) && (may_hold || out_.write_batch())) return true;
    if (out_.out_of_memory()) report_not_taken(server_);
  } catch (const std::exception& failure) {
    report_lost(failure, server_);
  }
  return false;
}

// Call with the mutex. Null: there is no message to send. Messages that are held leave with the last of those
// that may be. False: the connection is over.
bool QueuedChannel::send_or_hold(GatherBuffer* message, bool is_last) noexcept {
  try {
    const bool may_hold = !is_last && os::scheduling() == os::Scheduling{};
    return message ? send_locked(*message, may_hold) : may_hold || out_.write_batch();
  } catch (const std::exception& failure) {
    report_lost(failure, server_);
    return false;
  }
}

// The caller must keep the channel alive. The request's memory may be reused after release().
void QueuedChannel::done_with(QueuedRequest& request, GatherBuffer* reply, RequestQueue* queue) noexcept {
  const Done done = request.came_with_others() ? Done::request_with_others : Done::request;
  pending_octets_.fetch_sub(request.octets());
  request.release();
  send_and_go_on(reply, done, queue, &request);
}

std::shared_ptr<LateSender> QueuedChannel::late_sender(Share) { return shared_from_this(); }

LateSender::Begun QueuedChannel::begin(LateTicket&) {
  std::lock_guard lock(mutex_);
  if (closed_) return Begun::over;
  if (due_.load(std::memory_order_relaxed) >= most_due) return Begun::too_many;
  due_.fetch_add(1, std::memory_order_relaxed);
  server_.due_answers.add();
  return Begun::due;
}

// The caller keeps the channel alive.
void QueuedChannel::send(const LateTicket&, GatherBuffer* reply) noexcept {
  send_and_go_on(reply, reply ? Done::late_answer : Done::lost_answer);
}

// Call with the mutex. Returns whether no other request is pending whose reply could leave with this one.
bool QueuedChannel::count_done(Done done) noexcept {
  if (done <= Done::request_with_others) pending_.fetch_sub(1);
  if (done >= Done::late_answer && !closed_) {
    due_.fetch_sub(1, std::memory_order_relaxed);
    server_.due_answers.remove(1);
  }
  return done != Done::request_with_others || pending_together_.fetch_sub(1) == 1;
}

void QueuedChannel::send_and_go_on(GatherBuffer* reply, Done done, RequestQueue* queue,
                                   QueuedRequest* served) noexcept {
  served_at_ = Clock::now();
  std::optional<ReplyPacker::Packed> packed;  // before the mutex is locked, because compressing may take long
  bool sent = done != Done::lost_answer;
  try {
    if (reply) packed.emplace(packer_, *reply);
  } catch (const std::exception& failure) {
    report_lost(failure, server_);
    sent = false;
  }
  std::lock_guard lock(mutex_);
  const bool is_last = count_done(done);
  if (closed_) return;
  if (packed && queue) queue->thread_is_ready(*served);  // not while it packed, or waited for the mutex
  sent = sent && send_or_hold(packed ? &packed->message() : nullptr, is_last);
  if (!sent) {
    note_ending(reply_not_sent);
    stream_->shut_down();
  }
  const bool took_in = stream_->holds_octets() && stream_->write_waits_for_read();
  if (sent && !paused_ && !out_.waiting() && !took_in) return;
  // The reader must continue to write or read, or give up the connection. The octets to read may be in the
  // buffer already, so the reader is called as soon as the stream is writable.
  if (ours_) return watch_what_is_due();
  done_at_ = Clock::now();  // a peer that does not read can delay the reader's call
  host_.watch(*this, Interest::write);
}

bool QueuedChannel::send_answer(GatherBuffer& reply) {
  ReplyPacker::Packed packed(packer_, reply);
  std::lock_guard lock(mutex_);
  // Limits the kept replies of a peer that sends requests and reads no replies.
  if (out_.kept_bytes() > 2 * server_.protocol.limits->message_bytes) return false;
  return send_locked(packed.message());
}

std::uint32_t QueuedChannel::next_request_id() {
  std::lock_guard lock(mutex_);
  return intake_.protocol().next_request_id();
}

bool QueuedChannel::waits_for_reply() {
  std::lock_guard lock(mutex_);
  return ours_ && ours_->waits();
}

QueuedChannel::Sent QueuedChannel::send_request(GatherBuffer& request, bool response_expected) {
  ReplyPacker::Packed packed(packer_, request);
  std::lock_guard lock(mutex_);
  if (closed_ || out_.cut()) return Sent::closed;
  // No caller waits until the peer reads a oneway.
  if (!response_expected && out_.kept_bytes() > server_.protocol.limits->message_bytes) return Sent::refused;
  if (!send_locked(packed.message())) {
    stream_->shut_down_reading();  // the reader gets what the peer has sent before, and then the end
    return Sent::failed;
  }
  if (out_.waiting()) watch_what_is_due();
  return Sent::all;
}

void QueuedChannel::send_message_error() {
  std::lock_guard lock(mutex_);
  out_.end_with(giop::message_error(server_.protocol.minor), {});
}

void QueuedChannel::close() {
  over_ = true;
  std::shared_ptr<OwnRequests> ours;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    server_.due_answers.remove(due_.exchange(0));
    ours = ours_;
    if (highest_urgency_ != 0) reader_loan().change(std::exchange(highest_urgency_, 0), 0);
  }
  if (ours) ours->end(OwnRequests::Ending::without_a_word);
}

void QueuedChannel::say_closed() {
  std::lock_guard lock(mutex_);
  if (!out_.waiting()) out_.close(intake_.protocol().version());
}

void QueuedChannel::give_up() {
  if (pending() == 0 && !is_due()) say_closed();
  host_.end(*this);
}

// A peer that waits for a late answer must not take its request for one that was not begun.
std::optional<GracefulClose> QueuedChannel::graceful_close() {
  const bool owes_answers = is_due();
  close();
  if (owes_answers) return std::nullopt;
  return GracefulClose{stream_.get(), &out_, intake_.protocol().version(), intake_.protocol().mid_message()};
}

void QueuedChannel::give_back_memory(Clock::time_point now) {
  if (intake_.protocol().mid_message() || now - heard_at_ < sweep_interval) return;
  intake_.give_back_memory(idle_buffer_bytes);
}

bool QueuedChannel::overdue(Clock::time_point now) {
  give_back_memory(now);
  {
    std::lock_guard lock(mutex_);
    if (out_.waiting()) return out_.overdue(now);
    if (paused_) return pending() == 0 && now - done_at_ > server_.options.send_timeout.get();
  }
  if (intake_.message_overdue(now)) return true;
  return !ours_ && pending() == 0 && !is_due() &&
         is_idle(now - served_at_.load(), intake_.protocol().mid_message() || stream_->message_begun(),
                 server_);
}

}  // namespace takt::server
