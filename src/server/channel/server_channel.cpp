#include "server/channel/server_channel.h"

#include <algorithm>
#include <utility>

#include <takt/base/probe_site.h>

#include "giop/close.h"
#include "giop/message/request.h"
#include "server/bidirectional_connections.h"
#include "server/intake/own_answers.h"
#include "server/intake/request_terms.h"
#include "server/reports.h"
#include "threads/scheduling/scheduling.h"
#include "transport/batch/batch_guard.h"
#include "transport/batch/write_batch.h"

namespace takt::server {

using transport::IoResult;
using transport::IoStatus;
using Kind = giop::EventKind;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

// Memory that a connection keeps for long messages while its thread waits.
constexpr std::size_t busy_buffer_bytes = 1088 * 1024;

// Nothing that concerns a real-time priority waits for the guard, whose thread has none.
bool is_real_time(const giop::Event& request) {
  return !request.contexts.empty() && giop::known_contexts(request.contexts).priority() >= 0;
}

}  // namespace

ServerChannel::ServerChannel(std::unique_ptr<transport::Stream> stream, Waiting waiting, Server& server,
                             const giop::Messaging& messaging)
    : stream_(server.observers ? server.observers->probed(std::move(stream), transport::OpenedBy::peer)
                               : std::move(stream)),
      server_(server),
      waiting_(waiting),
      intake_(*this, *stream_, server,
              giop::Connection(giop::Connection::Role::server, *server.protocol.limits, messaging,
                               server.protocol.methods_of(messaging))),
      out_(*stream_, server.protocol.fragment_bytes, server.options.send_timeout,
           &intake_.protocol().memory()),
      rest_(&intake_.protocol().memory()),
      probed_(server.steps != nullptr),
      least_extra_work_(probed_ || intake_.peer().is_known() ? ExtraWork::all : ExtraWork::none),
      extra_work_(least_extra_work_) {
  if (server_.expects_deadlines) stamps_arrivals_ = stream_->stamp_arrivals();
  if (waiting_ == Waiting::blocking) {
    intake_.protocol().stream_bodies();
    out_.count_blocked_messages();
  } else {
    stream_->set_blocking(false);
  }
  if (waiting_ == Waiting::reactive && !stream_->capabilities().zero_copy) intake_.protocol().gather_tails();
}

ServerChannel::~ServerChannel() {
  if (late_) late_->end();
}

[[gnu::cold]] std::shared_ptr<LateSender> ServerChannel::late_sender(Share share) {
  if (!late_) {
    stream_->let_defer(false);
    late_ = share(out_, *stream_, server_);
    seen_late_.store(late_.get(), std::memory_order_release);
    if (waiting_ == Waiting::blocking) stream_->set_silence_limit({});
  }
  return late_;
}

// After a oneway: may yield the processor to its client.
[[gnu::noinline]] void ServerChannel::give_way() {
  if (intake_.protocol().mid_message()) return oneway_pace_.note_together();
  if (!oneway_pace_.yields_after_lone(Clock::now())) return;
  static_cast<void>(out_.write_held());
  os::yield_processor();
  oneway_pace_.note_yielded(Clock::now());
}

// The answer of an upcall that had a priority of its own must not wait for the guard of held replies, which
// has none.
[[gnu::cold]] void ServerChannel::push_answer() {
  bool going_on = false;
  try {
    going_on = out_.write_batch();
  } catch (const std::exception& failure) {
    report_lost(failure, server_);
  }
  if (!going_on) return stream_->shut_down();
  stream_->push();
}

[[gnu::always_inline]] inline bool ServerChannel::answer(ServerCall& call) {
  if (!call.response_expected()) {
    if (waiting_ == Waiting::blocking) give_way();
    return true;
  }
  if (!call.answered()) [[unlikely]]
    answer_unknown(call);
  return out_.send(intake_.reply());
}

// False: the connection is over.
[[gnu::cold, gnu::noinline]] bool ServerChannel::run_early(ServerCall& call, Verdict verdict) {
  struct Early final : EarlyReply {
    explicit Early(ServerChannel& from) : channel(from) {}
    bool send(ServerCall& call) noexcept override {
      try {
        call.begin_reply(false);
        call.expect_no_response();
        lost = !channel.out_.send(channel.intake_.reply()) || !channel.out_.write_held();
        channel.stream_->push();
      } catch (const std::exception& failure) {
        report_lost(failure, channel.server_);
        lost = true;
      }
      call.discard_answer();
      return !lost;
    }
    ServerChannel& channel;
    bool lost = false;
  } early(*this);
  dispatch_early(call, verdict, early, server_);
  return !early.lost;
}

// Inline, because nearly all requests have no contexts.
template <ServerChannel::Demultiplexing how>
[[gnu::always_inline]] inline bool ServerChannel::run_request(const giop::Event& event, Verdict verdict,
                                                              std::int16_t priority,
                                                              const RequestTimes* times) {
  if (event.key_unknown) [[unlikely]]
    return intake_.ask_for_key(event);
  ServerCall call = call_for(event, priority, intake_.formats().of(event), intake_.reply());
  if (event.body_missing != 0 && !begin_arriving(event, call)) [[unlikely]]
    return false;
  activity_.store(Activity::serving, std::memory_order_relaxed);
  if (event.response_flags == giop::response_from_server) [[unlikely]] {
    if (!run_early(call, verdict)) return false;
  } else if (how == Demultiplexing::by_handle_if_any && event.short_head && verdict == Verdict::granted)
      [[likely]]
    server_.dispatcher.load(std::memory_order_relaxed)->dispatch_by_handle(call, *event.handle);
  else
    dispatch(call, verdict, times, server_);
  activity_.store(Activity::served, std::memory_order_relaxed);
  if (event.body_missing != 0) [[unlikely]]
    if (!end_body(!failed_ && skip_body())) return false;
  return answer(call);
}

void ServerChannel::compress_replies(giop::compression::Wanted wanted) {
  const giop::Connection& protocol = intake_.protocol();
  out_.compress(server_.protocol.compression, protocol.expansion(), protocol.methods(), wanted);
}

// A request with an incomplete body is delivered again when its body is complete. Late answers leave by this
// channel, so it stays.
bool ServerChannel::take_offer(std::vector<giop::HostPort> points) {
  const bool takes = may_hand_over_ && !answers_late();
  if (takes) listen_points_ = std::move(points);
  return takes;
}

// While the connection is marked, requests without contexts must take the path that checks the marking.
[[gnu::cold, gnu::noinline]] void ServerChannel::mark_as(std::int16_t priority,
                                                         const std::optional<giop::WireQuality>& quality) {
  intake_.mark(priority, quality);
  note_extra_work();
}

// Serves oneways even so, because their clients could not be told to try again.
inline Verdict ServerChannel::unless_overloaded(const giop::Event& event, Verdict verdict) const {
  if (!refuses_requests_) [[likely]]
    return verdict;
  return verdict == Verdict::granted && event.response_expected ? Verdict::queue_full : verdict;
}

[[gnu::noinline]] bool ServerChannel::serve_with_contexts(const giop::Event& event) {
  if (const auto priority = giop::sole_priority(event.contexts)) [[likely]] {
    if (intake_.marks()) [[unlikely]]
      mark_as(*priority, {});
    return run_request(event, unless_overloaded(event, intake_.note_none(event.version)), *priority);
  }
  const giop::KnownContexts known = giop::known_contexts(event.contexts);
  const Verdict noted = intake_.note(event, known);
  if (noted == Verdict::moved) return false;
  if (event.short_head) begin_handles();
  if (intake_.marks()) mark_as(known.priority(), known.quality);
  const Verdict verdict = unless_overloaded(event, noted);
  if (known.quality || known.has_times()) return serve_on_terms(event, known, verdict);
  return run_request(event, verdict, known.priority());
}

[[gnu::cold]] void ServerChannel::begin_stamping() {
  stamps_arrivals_ = stream_->stamp_arrivals();
  server_.expects_deadlines = true;
  arrived_at_ = Clock::now();
}

// Serves a request with a deadline or times. too_late takes precedence over any other refusal.
[[gnu::noinline]] bool ServerChannel::serve_on_terms(const giop::Event& event,
                                                     const giop::KnownContexts& known, Verdict verdict) {
  const bool says_remaining = known.quality && known.quality->states_time();
  if (says_remaining && !stamps_arrivals_) [[unlikely]]
    begin_stamping();
  const RequestTimes times = RequestTimes::of(known, arrived_at_);
  const auto arrived_at = times.any() && !says_remaining ? Clock::now() : arrived_at_;
  const RequestTerms terms(times, quality_with(times, known.quality, arrived_at), arrived_at,
                           intake_.number());
  // The arrival time is that of the last octets read, which may belong to the CancelRequest of a client that
  // has given up.
  const bool given_up = says_remaining && intake_.protocol().cancel_follows(event.request_id);
  Verdict in_time = given_up ? Verdict::too_late : terms.verdict();
  if (in_time == Verdict::too_early && verdict == Verdict::granted && await(times.start))
    in_time = terms.verdict();
  if (in_time == Verdict::too_late || (in_time == Verdict::too_early && verdict == Verdict::granted))
    verdict = in_time;
  return run_request(event, verdict, known.priority(), terms.times());
}

// Waits for the request's start time, because the thread of a blocking channel serves no other connection.
// False: the time is too far away, the server ends first, or the thread also serves other connections.
[[gnu::cold, gnu::noinline]] bool ServerChannel::await(Clock::time_point start) {
  if (waiting_ != Waiting::blocking || start - Clock::now() > server_.options.hold_timeout.get())
    return false;
  activity_.store(Activity::serving, std::memory_order_relaxed);
  static_cast<void>(out_.write_held());
  return reading_stop_.wait_until(start);
}

// A number has been learnt.
[[gnu::cold]] void ServerChannel::begin_handles() {
  if (least_extra_work_ != ExtraWork::none) return;
  least_extra_work_ = ExtraWork::handles;
  note_extra_work();
}

// For a request without contexts. A short head without contexts has a handle.
[[gnu::noinline]] bool ServerChannel::run_by_handle(const giop::Event& event, Verdict verdict) {
  return run_request<Demultiplexing::by_handle_if_any>(event, verdict, -1);
}

[[gnu::noinline]] bool ServerChannel::serve_with_extra_work(const giop::Event& event) {
  if (probed_) [[unlikely]]
    server_.steps->begin(Step::server_messaging_receive);
  if (batches_ && !out_.gathers()) note_first_of_read();
  const PresentPeer present(intake_.peer());
  if (!event.contexts.empty()) return serve_with_contexts(event);
  if (intake_.marked()) [[unlikely]]
    mark_as(-1, {});
  const Verdict verdict = unless_overloaded(event, Verdict::granted);
  return event.short_head ? run_by_handle(event, verdict) : run_request(event, verdict, -1);
}

[[gnu::cold]] ServerChannel::Progress ServerChannel::after_unserved() {
  if (reading_stop_.has_refused()) return Progress::closed;
  if (out_.out_of_memory()) report_not_taken(server_);
  if (listen_points_.empty()) return end(failed_ ? message_not_complete : reply_not_sent);
  if (intake_.protocol().body_missing() == 0) {
    ending_.is_moved = true;
    return Progress::hand_over;
  }
  intake_.protocol().stop_streaming();
  return Progress::wants_read;
}

void ServerChannel::hand_over() {
  server_.bidirectional->hand_over(std::move(stream_), std::move(intake_.protocol()), intake_.formats(),
                                   std::move(listen_points_));
}

inline bool ServerChannel::serve_request(const giop::Event& event) {
  TAKT_PROBE(server_messaging_receive);
  if (extra_work_ != ExtraWork::none) [[unlikely]] {
    if (extra_work_ == ExtraWork::all) return serve_with_extra_work(event);
    if (event.contexts.empty()) return run_by_handle(event, Verdict::granted);
  }
  if (!event.contexts.empty()) [[unlikely]]
    return serve_with_contexts(event);
  return run_request(event, Verdict::granted, -1);
}

[[gnu::cold]] ServerChannel::Progress ServerChannel::end(const char* why) {
  over_ = true;
  if (!ending_.why) ending_ = {why};
  return Progress::closed;
}

[[gnu::cold, gnu::noinline]] ServerChannel::Progress ServerChannel::end_reading(const IoResult& result) {
  if (result.status == IoStatus::would_block) return Progress::wants_read;
  ending_ = ConnectionEnding::of(result);
  return Progress::closed;
}

// Lets the upcall read the rest of a message in place, if the stream allows it. A reactive channel must not
// wait, so it does this only if all of the rest has arrived. A message with an incomplete header is read like
// any other.
[[gnu::cold]] bool ServerChannel::continues_in_place() {
  const std::size_t missing = intake_.protocol().message_missing();
  if (missing == 0 || missing == tried_in_place_) return false;
  const std::size_t at_hand = stream_->available_in_place();
  if (at_hand == 0 || (waiting_ == Waiting::reactive && at_hand < missing)) return false;
  tried_in_place_ = missing;
  intake_.protocol().stream_message();
  return true;
}

// Whether to read more of a long message, which is likely to be there. Leaves the thread to other connections
// soon.
[[gnu::cold]] bool ServerChannel::reads_on(unsigned& reads) const {
  constexpr unsigned most_reads = 4;
  return waiting_ == Waiting::reactive && intake_.protocol().more_is_likely() && ++reads <= most_reads;
}

// Handles an event other than a request. False: the connection is over.
[[gnu::cold, gnu::noinline]] bool ServerChannel::serve_other(const giop::Event& event) {
  if (event.kind == Kind::locate_request || event.kind == Kind::refused_request)
    activity_.store(Activity::served, std::memory_order_relaxed);
  const ConnectionEnding ending = ConnectionEnding::of(event);
  if (intake_.take_other(event)) return true;
  ending_ = ending;
  return false;
}

// Nearly always there is one request.
inline ServerChannel::Progress ServerChannel::serve_events() {
  const giop::Event& event = intake_.protocol().next_event();
  if (event.kind != Kind::request) [[unlikely]]
    return serve_further(&event);
  if (!serve_request(event)) [[unlikely]]
    return end_batch(after_unserved());
  if (intake_.protocol().has_more() || out_.waiting()) [[unlikely]]
    return serve_further(nullptr);
  return Progress::wants_read;
}

// Serves the rest of what has arrived, and writes the replies to it together. `event`: the first, if it is
// known already.
[[gnu::noinline]] ServerChannel::Progress ServerChannel::serve_further(const giop::Event* event) {
  if (!event && !out_.gathers() && !out_.waiting()) begin_batches();
  if (turn_) turn_->begin();
  try {
    return end_batch(serve_rest(event));
  } catch (...) {
    static_cast<void>(out_.write_batch());
    throw;
  }
}

ServerChannel::Progress ServerChannel::serve_rest(const giop::Event* event) {
  if (!event && out_.waiting()) return Progress::wants_write;
  unsigned reads = 0;
  for (;; event = nullptr) {
    const giop::Event& next = event ? *event : intake_.protocol().next_event();
    if (next.kind == Kind::none) {
      if (!intake_.protocol().mid_message()) [[likely]]
        return Progress::wants_read;
      if (const auto ended = read_rest(reads)) return *ended;
      continue;
    }
    if (next.kind == Kind::request) [[likely]] {
      stream_->push();  // the upcall may take its time
      if (!serve_in_batch(next)) return after_unserved();
      if (turn_ && intake_.protocol().has_more() && turn_->is_over()) return Progress::wants_turn;
    } else if (!serve_other(next)) {
      return end("");
    }
    if (out_.waiting()) [[unlikely]]
      return Progress::wants_write;
  }
}

// Reads on in a message that has begun. nullopt: there is more of it now.
std::optional<ServerChannel::Progress> ServerChannel::read_rest(unsigned& reads) {
  if (continues_in_place()) return std::nullopt;
  if (reads_on(reads)) {
    const IoResult result = read();
    if (result.status != IoStatus::ok) return end_reading(result);
    intake_.protocol().bytes_read(result.bytes);
    return std::nullopt;
  }
  if (!overdue(Clock::now())) {
    limits_message_ = true;
    return Progress::wants_read;
  }
  send_message_error();
  return end(message_not_complete);
}

// The peer pipelines: replies may be held, from the next on.
void ServerChannel::begin_batches() {
  if (!intake_.protocol().has_whole_header())
    return;  // nothing, or a part of a message that gets no turn yet
  if (!batches_ && !late_ && server_.options.reply_hold.get().count() > 0) {
    const auto guard = server_.reply_guard.get();
    const auto batch = std::make_shared<transport::WriteBatch>(*stream_, waiting_ == Waiting::blocking,
                                                               server_.options.reply_hold, *guard);
    stream_->let_defer(false);  // the guard's thread writes too
    guard->watch(batch);
    out_.use_batch(batch);
    batches_ = true;
    note_extra_work();
  }
  if (batches_) note_first_of_read();
}

// Holds the replies of this read if further requests have come with the first. Replies are no longer held
// when this has not happened for some time, or answers are given after their upcalls.
[[gnu::noinline]] void ServerChannel::note_first_of_read() {
  constexpr unsigned many = 64;
  const bool pipelined = intake_.protocol().has_more();
  lone_reads_ = pipelined ? 0 : lone_reads_ + 1;
  if (late_ || lone_reads_ > many) {
    out_.use_batch(nullptr);
    batches_ = false;
    stream_->let_defer(late_ == nullptr);
    lone_reads_ = 0;
    return note_extra_work();
  }
  if (pipelined && !is_real_time(intake_.protocol().last_event()) && os::scheduling() == os::Scheduling{})
    out_.gather();
}

// From a request with a real-time priority on, replies are no longer held. False: the connection is over.
inline bool ServerChannel::precede_request(const giop::Event& event) {
  return !out_.gathers() || !is_real_time(event) || out_.write_batch();
}

// False: the connection is over, or moves.
inline bool ServerChannel::serve_in_batch(const giop::Event& event) {
  const bool replies = event.response_expected;
  return precede_request(event) && serve_request(event) && (replies || out_.write_overdue());
}

ServerChannel::Progress ServerChannel::end_batch(Progress progress) {
  if (!out_.write_batch() && progress < Progress::closed) return end(reply_not_sent);
  return progress == Progress::wants_read && out_.waiting() ? Progress::wants_write : progress;
}

inline IoResult ServerChannel::read() {
  return stamps_arrivals_ ? read_stamped() : stream_->read(intake_.protocol().read_space());
}

ServerChannel::Progress ServerChannel::serve() {
  TAKT_PROBE(server_io);
  const IoResult result = read();
  TAKT_PROBE(server_transport_receive);
  if (result.status != IoStatus::ok) [[unlikely]]
    return end_reading(result);
  intake_.protocol().bytes_read(result.bytes);
  const Progress progress = serve_events();
  if (waiting_ == Waiting::reactive) return stream_->holds_octets() ? serve_held(progress) : progress;
  if (limits_message_ && progress < Progress::closed) [[unlikely]]
    limit_silence();
  return progress;
}

// Called after a read, while the limit of silence may be another than that for idle connections. Connections
// that answer late have no limit while they are idle; sweeps find those.
[[gnu::cold]] void ServerChannel::limit_silence() {
  const bool awaits_rest = mid_message();
  if (awaits_rest == awaits_rest_ && !std::exchange(waited_in_upcall_, false)) return;
  waited_in_upcall_ = false;
  limits_message_ = awaits_rest_ = awaits_rest;
  give_back_memory(busy_buffer_bytes);
  stream_->set_silence_limit(awaits_rest      ? server_.protocol.limits->message_time.get()
                             : answers_late() ? 0ns
                                              : server_.options.idle_timeout.get());
}

// Serves octets that the stream already holds, because its handle does not report them.
[[gnu::cold]] ServerChannel::Progress ServerChannel::serve_held(Progress progress) {
  while (progress == Progress::wants_read && stream_->holds_octets()) {
    const IoResult result = stream_->read(intake_.protocol().read_space());
    if (result.status == IoStatus::would_block) break;
    if (result.status != IoStatus::ok) return end_reading(result);
    intake_.protocol().bytes_read(result.bytes);
    stream_->push();  // the upcall may take its time
    progress = serve_events();
  }
  return progress;
}

IoResult ServerChannel::read_stamped() {
  std::chrono::nanoseconds age{};
  const IoResult result = stream_->read_stamped(intake_.protocol().read_space(), age);
  arrived_at_ = Clock::now() - age;
  return result;
}

ServerChannel::Progress ServerChannel::flush() {
  switch (out_.flush()) {
    case WriteBuffer::Flushed::some:
      if (!out_.overdue(Clock::now())) return Progress::wants_write;
      return end(not_read_in_time);
    case WriteBuffer::Flushed::failed:
      return end(reply_not_sent);
    case WriteBuffer::Flushed::all:
      activity_.store(Activity::served, std::memory_order_relaxed);
      break;
  }
  stream_->push();
  const Progress progress = serve_events();  // serves requests that waited behind the reply
  return waiting_ == Waiting::reactive ? serve_held(progress) : progress;
}

bool ServerChannel::overdue(Clock::time_point now) {
  if (out_.waiting()) return out_.overdue(now);
  return intake_.message_overdue(now);
}

void ServerChannel::give_back_memory(std::size_t keep_bytes) {
  if (intake_.protocol().mid_message() || out_.waiting()) return;
  intake_.give_back_memory(keep_bytes);
}

void ServerChannel::send_message_error() { out_.end_with(giop::message_error(server_.protocol.minor), {}); }

// A peer that waits for a late answer must not take its request for one that was not begun.
void ServerChannel::close_orderly(Clock::time_point until) {
  if (!over_ && !owes_answers()) out_.end_with(giop::close_connection(intake_.protocol().version()), until);
}

std::optional<GracefulClose> ServerChannel::graceful_close() {
  if (over_ || owes_answers()) return std::nullopt;
  return GracefulClose{stream_.get(), &out_, intake_.protocol().version(), intake_.protocol().mid_message()};
}

}  // namespace takt::server
