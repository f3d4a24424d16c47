#include "server/server_channel.h"

#include <algorithm>
#include <array>
#include <utility>

#include <takt/base/probe_site.h>

#include "giop/close.h"
#include "giop/known_contexts.h"
#include "giop/message/request.h"
#include "os/threads/scheduling.h"
#include "server/both_ways.h"
#include "server/own_answers.h"
#include "server/refusals.h"
#include "server/request_quality.h"

namespace takt::server {

using transport::IoResult;
using transport::IoStatus;
using Kind = giop::EventKind;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

ServerChannel::ServerChannel(std::unique_ptr<transport::Stream> stream, Waiting waiting, Server& server,
                             const giop::Messaging& messaging)
    : stream_(server.steps ? server.probed(std::move(stream)) : std::move(stream)),
      server_(server),
      waiting_(waiting),
      protocol_(giop::Connection::Role::server, *server.protocol.limits, messaging,
                server.protocol.methods_of(messaging)),
      formats_(server.environment, &protocol_.memory()),
      reply_(512),
      outbox_(*stream_, server.protocol.fragment_bytes, server.options.send_timeout, &protocol_.memory()),
      whole_tail_(&protocol_.memory()),
      peer_(*stream_),
      number_(next_connection_number()),
      always_unusual_(server.steps || peer_.is_known()),
      marks_replies_(server.connections.marks_calls()),
      unusual_(always_unusual_) {
  if (server_.expects_deadlines) stamps_arrivals_ = stream_->stamp_arrivals();
  if (waiting_ == Waiting::blocking)
    protocol_.stream_bodies();
  else
    stream_->set_blocking(false);
}

ServerChannel::~ServerChannel() = default;

// A client that makes one oneway call after the other, on a processor that it shares with this thread, is
// interrupted for each. Once many have come fast and one by one, it goes on until it waits for us, and the
// next read brings all that it has made by then. Where somebody else took the processor meanwhile, or it
// never waits, it would have been better to go on at once, which is what we then do for some time.
[[gnu::noinline]] void ServerChannel::give_way() {
  constexpr unsigned many = 16;
  constexpr std::chrono::nanoseconds fast = 100us, at_most = 1ms, some_time = 1s;
  if (protocol_.mid_message()) {
    lone_oneways_ = 0;
    return;
  }
  const auto now = Clock::now();
  lone_oneways_ = now - last_oneway_ < fast ? lone_oneways_ + 1 : 0;
  last_oneway_ = now;
  if (lone_oneways_ < many || now < gives_way_from_) return;
  lone_oneways_ = 0;
  os::yield_processor();
  last_oneway_ = Clock::now();
  if (last_oneway_ - now > at_most) gives_way_from_ = last_oneway_ + some_time;
}

[[gnu::always_inline]] inline ServerChannel::Admission ServerChannel::admit(const giop::Event& event,
                                                                            bool readable,
                                                                            bool in_time) const {
  if (readable && in_time && !refuses_requests_) [[likely]]
    return Admission::granted;
  if (!in_time) return Admission::late;
  if (!readable) return Admission::unreadable;
  return event.response_expected ? Admission::overload : Admission::granted;
}

[[gnu::cold, gnu::noinline]] void ServerChannel::refuse(ServerCall& call, Admission why) {
  if (why == Admission::late)
    answer_too_late(call, server_);
  else if (why == Admission::early)
    answer_too_early(call);
  else if (why == Admission::overload)
    refuse_overload(call);
  else
    refuse_code_sets(call);
}

// False: its end will not be read, so it is not begun.
[[gnu::cold, gnu::noinline]] bool ServerChannel::begin_arriving(const giop::Event& event, ServerCall& call) {
  if (!begin_body()) return false;
  if (event.parts)
    call.arguments().set_source(event.parts, event.body_missing);
  else
    call.set_arriving(*this, *this, event.body_missing);
  return true;
}

[[gnu::always_inline]] inline bool ServerChannel::answer(ServerCall& call) {
  if (!call.response_expected()) {
    if (waiting_ == Waiting::blocking) give_way();
    return true;
  }
  if (!call.answered()) [[unlikely]]
    call.system_exception(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE));
  return outbox_.send(reply_);
}

// In line, since nearly all requests come without contexts.
[[gnu::always_inline]] inline bool ServerChannel::run_request(const giop::Event& event, Admission admission,
                                                              std::int16_t priority,
                                                              const RequestTimes* times) {
  if (event.key_unknown) [[unlikely]] {
    if (!event.response_expected) return true;
    answer_with_need_of_key(event, formats_.of_reply(event), reply_);
    return outbox_.send(reply_);
  }
  ServerCall call({.request_id = event.request_id,
                   .giop_minor = event.version.minor,
                   .short_head = event.short_head,
                   .response_expected = event.response_expected,
                   .object_key = event.object_key,
                   .operation = event.operation,
                   .priority = priority,
                   .contexts = &event.contexts},
                  event.body, event.body_index, formats_.of(event), reply_);
  if (event.body_missing != 0 && !begin_arriving(event, call)) [[unlikely]]
    return false;
  if (event.response_flags == giop::response_from_server && admission != Admission::late &&
      admission != Admission::early) [[unlikely]] {
    call.begin_reply(false);
    if (!outbox_.send(reply_)) return false;
    call.expect_no_response();
  }
  activity_.store(Activity::serving, std::memory_order_relaxed);
  if (admission == Admission::granted) [[likely]]
    server_.dispatcher->dispatch(call);
  else
    refuse(call, admission);
  if (times) refuse_late_reply(call, *times);
  activity_.store(Activity::served, std::memory_order_relaxed);
  if (event.body_missing != 0) [[unlikely]]
    if (!end_body(!failed_ && skip_body())) return false;
  return answer(call);
}

// What holds for later requests too. False: the client's code sets cannot be read.
[[gnu::always_inline]] inline bool ServerChannel::note_contexts(const giop::Event& event,
                                                                const giop::KnownContexts& known) {
  if (known.offered_number) protocol_.learn(*known.offered_number);
  if (known.compression)
    if (const auto wanted = known.compression->accepted_by(protocol_.methods()))
      outbox_.compress(server_.protocol.compression, protocol_.expansion(), protocol_.methods(), *wanted);
  return formats_.note_code_sets(known.code_sets, event.version);
}

// False: the connection is over, as it has to be where the request would have changed what it is.
[[gnu::cold]] bool ServerChannel::refuse_for_memory(const giop::Event& event) {
  if (!event.contexts.empty()) {
    const giop::KnownContexts known = giop::known_contexts(event.contexts);
    note_contexts(event, known);
    if (may_hand_over_ && !known.listen_points.empty()) return false;
  }
  ServerCall call(context_of(event), {}, 0, formats_.of(event), reply_);
  answer_without_memory(event, call);
  return !event.response_expected || outbox_.send(reply_);
}

// A request without contexts is noticed while the connection is marked.
[[gnu::cold, gnu::noinline]] void ServerChannel::mark_as(std::int16_t priority,
                                                         const std::optional<giop::WireQuality>& quality) {
  marking_.follow(*stream_, server_.connections, priority, quality);
  unusual_ = always_unusual_ || refuses_requests_ || marking_.any();
}

[[gnu::noinline]] bool ServerChannel::serve_with_contexts(const giop::Event& event) {
  if (const auto priority = giop::sole_priority(event.contexts)) [[likely]] {
    if (marks_replies_) [[unlikely]]
      mark_as(*priority, {});
    return run_request(event, admit(event, formats_.note_code_sets({}, event.version), true), *priority);
  }
  const giop::KnownContexts known = giop::known_contexts(event.contexts);
  if (marks_replies_) mark_as(known.priority(), known.quality);
  const bool readable = note_contexts(event, known);
  if (may_hand_over_ && !known.listen_points.empty() && accept_offer(event, known.listen_points))
    return false;
  if (known.has_times()) [[unlikely]]
    return serve_timed(event, known, readable);
  const auto& quality = known.quality;
  if (!quality) return run_request(event, admit(event, readable, true), known.priority());
  const bool has_deadline = quality->remaining != giop::WireQuality::no_deadline;
  if (has_deadline && !stamps_arrivals_) [[unlikely]] {
    stamps_arrivals_ = stream_->stamp_arrivals();
    server_.expects_deadlines = true;
    arrived_at_ = Clock::now();
  }
  const ReceivedQuality received(*quality, arrived_at_, number_);
  // Stamped are the last octets of what was read, which may be those of a client whose time was over.
  const bool given_up = has_deadline && protocol_.cancel_follows(event.request_id);
  return run_request(event, admit(event, readable, received.in_time() && !given_up), known.priority());
}

// The thread of a blocking channel serves nobody else, so it waits for the request's start time.
[[gnu::cold, gnu::noinline]] bool ServerChannel::serve_timed(const giop::Event& event,
                                                             const giop::KnownContexts& known,
                                                             bool readable) {
  const auto now = Clock::now();
  const RequestTimes times = RequestTimes::of(known);
  const bool says_remaining = known.quality && known.quality->remaining != giop::WireQuality::no_deadline;
  const auto arrived_at = says_remaining && stamps_arrivals_ ? arrived_at_ : now;
  const auto quality = quality_with(times, known.quality, arrived_at);
  std::optional<ReceivedQuality> received;
  if (quality) received.emplace(*quality, arrived_at, number_);
  const auto in_time = [&] { return times.in_time(Clock::now()) && (!received || received->in_time()); };
  const bool given_up = says_remaining && protocol_.cancel_follows(event.request_id);
  Admission admission = admit(event, readable, in_time() && !given_up && !times.ends_before_start());
  if (admission == Admission::granted && times.start > now)
    admission = await(times.start) ? admit(event, readable, in_time()) : Admission::early;
  const TimedRequest timed(times);
  return run_request(event, admission, known.priority(), &times);
}

// False: it is too far away, or the server ends first, or others would have to wait too.
bool ServerChannel::await(Clock::time_point start) {
  if (waiting_ != Waiting::blocking || start - Clock::now() > server_.options.hold_timeout.get())
    return false;
  activity_.store(Activity::serving, std::memory_order_relaxed);
  std::unique_lock lock(reading_mutex_);
  return !stops_.wait_until(lock, start, [this] { return stops_reading_; });
}

[[gnu::noinline]] bool ServerChannel::serve_checked(const giop::Event& event) {
  if (server_.steps) server_.steps->begin(Step::server_messaging_receive);
  if (marking_.any() && event.contexts.empty()) [[unlikely]]
    mark_as(-1, {});
  const PresentPeer present(peer_);
  return event.contexts.empty() ? run_request(event, admit(event, true, true), -1)
                                : serve_with_contexts(event);
}

// Such a request is not served here. One whose body has not all arrived comes again once it has.
bool ServerChannel::accept_offer(const giop::Event& event, ByteView context) {
  if (!server_.both_ways || event.version.minor < 2) return false;
  listen_points_ = server_.both_ways->accepted(context, *stream_);
  return !listen_points_.empty();
}

[[gnu::cold]] ServerChannel::Progress ServerChannel::after_unserved() {
  if (unbegun_) return Progress::closed;
  if (outbox_.out_of_memory()) tell_not_taken(server_);
  if (listen_points_.empty()) return end();
  if (protocol_.body_missing() == 0) return Progress::hand_over;
  protocol_.stop_streaming();
  return Progress::wants_read;
}

void ServerChannel::hand_over() {
  server_.both_ways->hand_over(std::move(stream_), std::move(protocol_), formats_, std::move(listen_points_));
}

inline bool ServerChannel::serve_request(const giop::Event& event) {
  TAKT_PROBE(server_messaging_receive);
  if (unusual_) [[unlikely]]
    return serve_checked(event);
  if (!event.contexts.empty()) [[unlikely]]
    return serve_with_contexts(event);
  return run_request(event, Admission::granted, -1);
}

[[gnu::cold]] ServerChannel::Progress ServerChannel::end() {
  over_ = true;
  return Progress::closed;
}

// What is left of a message can be read where it is, by its upcall; without waiting, where that may not be.
// If its head is not complete, it is read as any other.
[[gnu::cold]] bool ServerChannel::continues_in_place() {
  const std::size_t missing = protocol_.message_missing();
  if (missing == 0 || missing == tried_in_place_) return false;
  const std::size_t at_hand = stream_->available_in_place();
  if (at_hand == 0 || (waiting_ == Waiting::reactive && at_hand < missing)) return false;
  tried_in_place_ = missing;
  protocol_.stream_message();
  return true;
}

// What is no request. False: the connection is over.
[[gnu::cold, gnu::noinline]] bool ServerChannel::serve_other(const giop::Event& event) {
  switch (event.kind) {
    case Kind::locate_request:
      activity_.store(Activity::served, std::memory_order_relaxed);
      answer_locate(event, formats_.of_reply(event), *server_.dispatcher, reply_);
      return outbox_.send(reply_);
    case Kind::cancel:  // requests are served as they come, so it is too late or not ours
      return true;
    case Kind::refused_request:
      activity_.store(Activity::served, std::memory_order_relaxed);
      return refuse_for_memory(event);
    case Kind::protocol_error:
      tell_version_refused(event, server_);
      send_message_error();
      return false;
    default:  // close, message_error, replies to nobody
      return false;
  }
}

inline ServerChannel::Progress ServerChannel::serve_events() {
  for (;;) {
    const giop::Event& event = protocol_.next_event();
    if (event.kind == Kind::none) {
      if (!protocol_.mid_message()) [[likely]]
        return Progress::wants_read;
      if (continues_in_place()) continue;
      if (!overdue(Clock::now())) return Progress::wants_read;
      send_message_error();
      return end();
    }
    if (event.kind == Kind::request) [[likely]] {
      if (!serve_request(event)) return after_unserved();
      if (!outbox_.waiting()) [[likely]]
        continue;
      return Progress::wants_write;
    }
    if (!serve_other(event)) return end();
    if (outbox_.waiting()) [[unlikely]]
      return Progress::wants_write;
  }
}

ServerChannel::Progress ServerChannel::serve() {
  TAKT_PROBE(server_io);
  const IoResult result = stamps_arrivals_ ? read_stamped() : stream_->read(protocol_.read_space());
  TAKT_PROBE(server_transport_receive);
  if (result.status != IoStatus::ok) [[unlikely]]
    return result.status == IoStatus::would_block ? Progress::wants_read : Progress::closed;
  protocol_.bytes_read(result.bytes);
  const Progress progress = serve_events();
  return stream_->holds_octets() ? serve_held(progress) : progress;
}

// What the stream has for us already, and its handle would not say.
[[gnu::cold]] ServerChannel::Progress ServerChannel::serve_held(Progress progress) {
  while (progress == Progress::wants_read && waiting_ == Waiting::reactive && stream_->holds_octets()) {
    const IoResult result = stream_->read(protocol_.read_space());
    if (result.status == IoStatus::would_block) break;
    if (result.status != IoStatus::ok) return Progress::closed;
    protocol_.bytes_read(result.bytes);
    progress = serve_events();
  }
  return progress;
}

IoResult ServerChannel::read_stamped() {
  std::chrono::nanoseconds age{};
  const IoResult result = stream_->read_stamped(protocol_.read_space(), age);
  arrived_at_ = Clock::now() - age;
  return result;
}

ServerChannel::Progress ServerChannel::flush() {
  switch (outbox_.flush()) {
    case Outbox::Flushed::some:
      if (!outbox_.overdue(Clock::now())) return Progress::wants_write;
      return end();
    case Outbox::Flushed::failed:
      return end();
    case Outbox::Flushed::all:
      activity_.store(Activity::served, std::memory_order_relaxed);
      break;
  }
  return serve_held(serve_events());  // those that waited behind the reply
}

bool ServerChannel::overdue(Clock::time_point now) {
  if (outbox_.waiting()) return outbox_.overdue(now);
  const auto deadline = protocol_.next_deadline(now);
  return deadline && *deadline <= now;
}

void ServerChannel::give_back_memory(std::size_t keep_bytes) {
  if (protocol_.mid_message() || outbox_.waiting()) return;
  protocol_.trim(keep_bytes);
  reply_.clear(keep_bytes);
}

void ServerChannel::send_message_error() {
  outbox_.end_with(giop::message_error(server_.protocol.minor), {});
}

void ServerChannel::close_orderly(Clock::time_point until) {
  if (!over_) outbox_.end_with(giop::close_connection(protocol_.version()), until);
}

std::optional<Parting> ServerChannel::parting() {
  if (over_) return std::nullopt;
  return Parting{stream_.get(), &outbox_, protocol_.version(), protocol_.mid_message()};
}

void ServerChannel::stop_reading() {
  std::lock_guard lock(reading_mutex_);
  stops_reading_ = true;
  stops_.notify_all();
  if (!in_body_) stream_->shut_down_reading();
}

// False: its end will not be read, so it is not begun.
[[gnu::cold]] bool ServerChannel::begin_body() {
  tried_in_place_ = 0;
  std::lock_guard lock(reading_mutex_);
  unbegun_ = stops_reading_;
  in_body_ = !stops_reading_;
  return in_body_;
}

[[gnu::cold]] bool ServerChannel::end_body(bool taken) {
  whole_tail_.release();
  std::lock_guard lock(reading_mutex_);
  in_body_ = false;
  return taken;
}

bool ServerChannel::skip_body() {
  std::array<std::uint8_t, 8 * 1024> skipped;
  while (const std::size_t missing = protocol_.body_missing())
    if (!read_exact(MutableBytes(skipped).first(std::min(missing, skipped.size())))) return false;
  return true;
}

bool ServerChannel::read_exact(MutableBytes into) {
  if (waiting_ == Waiting::blocking && !std::exchange(waited_in_upcall_, true))
    stream_->set_silence_limit(server_.protocol.limits->message_time);
  while (!into.empty()) {
    const IoResult result = stream_->read(into.first(std::min(into.size(), protocol_.body_missing())));
    if (result.status != IoStatus::ok || overdue(Clock::now())) {
      failed_ = true;
      return false;
    }
    protocol_.body_taken(result.bytes);
    into = into.subspan(result.bytes);
  }
  return true;
}

cdr::Decoder::Source* ServerChannel::read_to_end() {
  return whole_tail_.fill(protocol_, *this) ? &whole_tail_ : nullptr;
}

HeldOctets ServerChannel::read_in_place(std::size_t count) {
  HeldOctets held = stream_->read_in_place(count);
  protocol_.body_taken(held.size());
  return held;
}

}  // namespace takt::server
