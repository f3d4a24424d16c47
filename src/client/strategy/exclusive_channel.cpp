#include "client/strategy/exclusive_channel.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <takt/base/probe_site.h>

#include "client/channel/failure.h"
#include "client/channel/time_steps.h"
#include "giop/close.h"
#include "giop/copying.h"
#include "os/poll/wait.h"
#include "transport/message_writer.h"

namespace takt::client {

using transport::IoResult;
using transport::IoStatus;
using Status = Exchange::Status;

namespace {
// A send buffer of the usual size takes a message of this length at once, although the peer does not read, if
// no oneways wait.
constexpr std::size_t most_bytes_without_wait = 16 * 1024;
}  // namespace

ExclusiveChannel::ExclusiveChannel(std::unique_ptr<transport::Stream> stream, const Client& client,
                                   const giop::Messaging& messaging,
                                   std::shared_ptr<ChannelRegistry> registry, std::uint16_t expansion)
    : stream_(std::move(stream)),
      protocol_(giop::Connection::Role::client, *client.protocol.limits, messaging,
                client.protocol.methods_of(messaging), expansion),
      own_names_(giop::lite::names_for(messaging)),
      registry_(std::move(registry)),
      fragment_bytes_(client.protocol.fragment_bytes),
      compressor_(client.protocol.compressor_for(messaging, protocol_.expansion())),
      untouched_bytes_(compressor_       ? compressor_->untouched_bytes()
                       : fragment_bytes_ ? fragment_bytes_
                                         : SIZE_MAX),
      short_bytes_(untouched_bytes_),
      usual_timeout_(client.options.round_trip_timeout) {
  names_ = own_names_.get();
  compression_offer_ = client.protocol.offer_for(messaging, protocol_.expansion());
  protocol_.stream_bodies();
  // Sets the timers now, so that no call has to wait for that.
  if (usual_timeout_ != usual_timeout_.zero()) arm(usual_timeout_);
  if (!registry_->add(*stream_)) throw_orb_down();  // last: nothing may fail after it
}

ExclusiveChannel::~ExclusiveChannel() { registry_->remove(*stream_, broken_ ? ending_ : Exchange()); }

void ExclusiveChannel::arm(std::chrono::nanoseconds timeout) {
  if (at_once_) stream_->set_blocking(false);
  if (timeout == until_deadline) {
    short_bytes_ = std::min(untouched_bytes_, most_bytes_without_wait);
    return arm_by_deadline(Clock::now());
  }
  short_bytes_ = untouched_bytes_;
  usual_timeout_ = timeout;
  armed_.deadline = {};
  if (stream_->set_timeouts({}, timeout) && stream_->set_silence_limit(timeout)) armed_.timeout = timeout;
}

// Rounding lets calls with equal budgets find the timers already set.
void ExclusiveChannel::arm_by_deadline(Clock::time_point now) {
  armed_.timeout = std::chrono::nanoseconds(-1);
  const auto time = deadline_ == never ? usual_timeout_ : in_steps(deadline_ - now);
  if (time == armed_.deadline) return;
  if (stream_->set_timeouts(time, time)) armed_.deadline = time;
}

bool ExclusiveChannel::woke_early(const IoResult& result) const {
  return deadline_ != never && result.status == IoStatus::timed_out && Clock::now() < deadline_;
}

std::uint32_t ExclusiveChannel::next_request_id() { return protocol_.next_request_id(); }

// In the usual case one system call sends the whole request, and another reads the whole reply.
Status ExclusiveChannel::exchange(std::uint32_t request_id, bool response_expected,
                                  std::chrono::nanoseconds timeout) {
  if (timeout != armed_.timeout) [[unlikely]]
    arm(timeout);
  if (!response_expected) [[unlikely]]
    return exchange_oneway(timeout);
  if (!send(timeout)) [[unlikely]]
    return not_sent();
  const IoResult result = stream_->read(protocol_.read_space());
  TAKT_PROBE(client_messaging_receive);
  if (result.status == IoStatus::ok) [[likely]] {
    protocol_.bytes_read(result.bytes);
    reply_ = &protocol_.next_event();
    if (reply_->kind == giop::EventKind::reply && reply_->request_id == request_id) [[likely]] {
      if (protocol_.body_missing() != 0) needs_cleanup_ |= untidy;
      return Status::reply;
    }
  }
  return wait_on(result, request_id, timeout);
}

Status ExclusiveChannel::not_sent() {
  broken_ = ending_.status != Status::refused;
  return ending_.status;
}

// A server may have closed an idle connection. Calls find out when they wait for their replies; a oneway
// would be lost.
Status ExclusiveChannel::exchange_oneway(std::chrono::nanoseconds timeout) {
  constexpr auto idle_from = std::chrono::seconds(1);
  const auto now = Clock::now();
  const bool was_idle = now - std::exchange(last_oneway_, now) >= idle_from;
  if (was_idle && os::has_hung_up(stream_->native_handle())) {
    ending_.sent_in_part = false;
    end(Status::retry, "send", "the server has closed the connection");
    return not_sent();
  }
  return send(timeout) ? Status::sent : not_sent();
}

bool ExclusiveChannel::send_all(const GatherBuffer& requests, std::chrono::nanoseconds timeout) {
  needs_cleanup_ |= untidy;
  if (timeout != armed_.timeout) arm(timeout);
  ending_.sent_in_part = false;
  pieces_.clear();
  requests.gather(pieces_);
  broken_ = !send_pieces(timeout);
  return !broken_;
}

const giop::Event* ExclusiveChannel::receive(std::uint32_t request_id, std::chrono::nanoseconds time) {
  reply_ = &protocol_.next_event();
  if (reply_->kind != giop::EventKind::reply || reply_->request_id != request_id) {
    if (time.count() > 0) end_by(Clock::now() + time);
    if (wait_on({0, IoStatus::ok, 0}, request_id, deadline_ == never ? time : until_deadline) !=
        Status::reply) {
      give_up_waiting();
      return nullptr;
    }
  }
  if (protocol_.body_missing() == 0) return reply_;
  give_up_waiting();
  end(Status::failed, "reply", "it is longer than the replies to requests that were sent together may be");
  return nullptr;
}

inline bool ExclusiveChannel::send(std::chrono::nanoseconds timeout) {
  const std::size_t size = out_.size();
  if (!out_.contiguous() || size > short_bytes_) [[unlikely]]
    return send_in_pieces(timeout);
  TAKT_PROBE(client_io);
  const IoResult result = stream_->write({out_.owned(), size});
  TAKT_PROBE(client_transport_receive);
  return result.bytes == size || send_rest(result, timeout);
}

bool ExclusiveChannel::send_in_pieces(std::chrono::nanoseconds timeout) {
  ending_.sent_in_part = false;
  pieces_.clear();
  if (!out_.contiguous()) giop::align_for_copying(out_);
  if (compressor_) compressor_->agree(protocol_.wanted_by_peer());
  giop::fragment(compressor_ ? compressor_->pack(out_) : out_, fragment_bytes_, pieces_, fragment_headers_);
  return send_pieces(timeout);
}

bool ExclusiveChannel::send_rest(IoResult sent, std::chrono::nanoseconds timeout) {
  ending_.sent_in_part = sent.bytes != 0;
  if (sent.status != IoStatus::ok && sent.status != IoStatus::would_block && !woke_early(sent)) {
    end(sent, "send");
    return false;
  }
  if (deadline_ != never) arm_by_deadline(Clock::now());
  pieces_.assign(1, ByteView(out_.owned(), out_.size()).subspan(sent.bytes));
  return send_pieces(timeout);
}

// If the call has no limit of its own, as with SYNC_NONE, the usual timeout applies.
ExclusiveChannel::Clock::time_point ExclusiveChannel::transfer_ends(Clock::time_point now,
                                                                    std::chrono::nanoseconds timeout) const {
  if (timeout == until_deadline && deadline_ == never) timeout = usual_timeout_;
  return timeout.count() > 0 ? std::min(now + transport::silences_per_message * timeout, deadline_)
                             : deadline_;
}

// Sends what one system call could not take, or may take long to. The reply has the time that is left.
bool ExclusiveChannel::send_pieces(std::chrono::nanoseconds timeout) {
  std::span<ByteView> left(pieces_);
  std::optional<Clock::time_point> deadline;
  const bool sent = transport::write_message(*stream_, left, [&](const IoResult& result) {
    if (result.status == IoStatus::ok) {
      ending_.sent_in_part = true;
      const auto now = Clock::now();
      if (!deadline) deadline = transfer_ends(now, timeout);
      if (now > *deadline) end(Status::timeout, "send");
      if (deadline_ != never) arm_by_deadline(now);
      return now <= *deadline;
    }
    return goes_on_sending(result);
  });
  if (sent && deadline_ != never) arm_by_deadline(Clock::now());
  return sent;
}

// After a write that took nothing. False: the exchange has ended.
bool ExclusiveChannel::goes_on_sending(const IoResult& result) {
  if (woke_early(result)) {
    arm_by_deadline(Clock::now());
    return true;
  }
  if (result.status != IoStatus::would_block) {
    end(result, "send");
    return false;
  }
  stream_->set_blocking(true);
  if (ending_.sent_in_part) return true;  // a started message must be completed
  end(Status::refused, "send", "the system has no room for it, and the SyncScope does not let it wait");
  return false;
}

// A silent peer has `timeout`. If it sends other octets, it has the same time again in total, from its first
// octets on; the clock is read only in that case.
Status ExclusiveChannel::wait_on(IoResult arrived, std::uint32_t request_id,
                                 std::chrono::nanoseconds timeout) {
  std::optional<Clock::time_point> deadline;
  if (deadline_ != never) deadline = deadline_;
  for (;;) {
    if (woke_early(arrived)) {
      reply_ = &protocol_.next_event();
    } else if (arrived.status != IoStatus::ok) {
      late_ = arrived.status == IoStatus::timed_out;
      give_up_waiting();
      return end(arrived, "wait for the reply");
    }
    if (const auto ended = look_for_reply(request_id)) return *ended;
    if (continues_in_place()) continue;
    const auto now = Clock::now();
    if (!deadline) deadline = now + timeout;
    if (timeout.count() != 0) {
      if (now >= *deadline) {
        late_ = true;
        give_up_waiting();
        return end(Status::timeout, "wait for the reply");
      }
      wait_at_most(*deadline - now, now);
    }
    arrived = stream_->read(protocol_.read_space());
    if (arrived.status != IoStatus::ok) continue;
    protocol_.bytes_read(arrived.bytes);
    reply_ = &protocol_.next_event();
  }
}

// Searches the available events for the reply. nullopt: it has not arrived.
std::optional<Status> ExclusiveChannel::look_for_reply(std::uint32_t request_id) {
  for (; reply_->kind != giop::EventKind::none; reply_ = &protocol_.next_event()) {
    if (reply_->kind == giop::EventKind::refused_reply) {
      if (reply_->request_id != request_id) continue;
      ending_.sent_in_part = true;  // the connection remains usable
      return end(Status::no_memory, "wait for the reply", reply_->reason);
    }
    if (reply_->kind != giop::EventKind::reply) return unexpected_reply();
    if (reply_->request_id == request_id) {
      if (protocol_.body_missing() != 0) needs_cleanup_ |= untidy;
      return Status::reply;
    }
    if (protocol_.body_missing() != 0) {
      give_up_waiting();
      return end(Status::failed, "wait for the reply",
                 "the server answered a request that this side did not send");
    }
  }
  return std::nullopt;
}

// The request was sent, and the connection cannot be used again.
void ExclusiveChannel::give_up_waiting() {
  broken_ = true;
  ending_.sent_in_part = true;
}

// Whether the rest of a reply can be read in place, however short it is. Sets the reply's event, if its
// header is complete.
bool ExclusiveChannel::continues_in_place() {
  if (protocol_.message_missing() == 0 || stream_->available_in_place() == 0) return false;
  protocol_.stream_message();
  reply_ = &protocol_.next_event();
  return reply_->kind != giop::EventKind::none;
}

void ExclusiveChannel::wait_at_most(std::chrono::nanoseconds time, Clock::time_point now) {
  if (deadline_ != never) return arm_by_deadline(now);
  armed_.timeout = time;
  armed_.deadline = {};
  stream_->set_silence_limit(time);
}

// Nothing else is sent on this connection afterwards.
void ExclusiveChannel::cancel(std::uint32_t request_id) {
  if (!late_) return;
  stream_->set_blocking(false);
  (void)stream_->write(giop::cancel_request(out_.owned(), request_id));
}

Status ExclusiveChannel::unexpected_reply() {
  broken_ = true;
  ending_.sent_in_part = reply_->kind != giop::EventKind::close;
  constexpr const char* phase = "wait for the reply";
  switch (reply_->kind) {
    case giop::EventKind::close:
      return end(Status::retry, phase, "the server closed the connection in good order");
    case giop::EventKind::message_error:
      return end(Status::failed, phase, "the server did not understand our message (MessageError)");
    case giop::EventKind::protocol_error:
      return end(Status::failed, phase, reply_->reason);
    default:
      return end(Status::failed, phase, "the server sent a message that only clients send");
  }
}

Status ExclusiveChannel::end(Status status, const char* phase, const char* reason, int error) {
  ending_.status = status;
  ending_.phase = phase;
  ending_.reason = reason;
  ending_.error = error;
  return status;
}

Status ExclusiveChannel::end(const IoResult& result, const char* phase) {
  if (result.status == IoStatus::timed_out) return end(Status::timeout, phase);
  // The error may be the end of an orderly close that was announced earlier.
  int error = result.error;
  if (orderly_close_pending(error)) {
    ending_.sent_in_part = false;
    return end(Status::retry, phase, "the server closed the connection in good order");
  }
  if (protocol_.body_missing() == 0) {  // unread octets may explain the failure
    protocol_.end_of_stream();
    const giop::Event& last = protocol_.next_event();
    ending_.sent_in_part &= !last.wants_tls;
    if (last.wants_tls) return end(Status::failed, phase, last.reason, EACCES);
  }
  return end(Status::failed, phase,
             result.status == IoStatus::end_of_stream ? "the server closed the connection without a word"
                                                      : "the connection failed",
             error);
}

bool ExclusiveChannel::orderly_close_pending(int& error) {
  stream_->set_blocking(false);
  for (int reads = 0; reads < max_reads_of_an_ending && protocol_.body_missing() == 0; ++reads) {
    auto kind = giop::EventKind::reply;
    while (kind == giop::EventKind::reply || kind == giop::EventKind::refused_reply)
      kind = protocol_.next_event().kind;
    if (kind != giop::EventKind::none) return kind == giop::EventKind::close;
    const IoResult result = stream_->read(protocol_.read_space());
    if (result.error == EACCES) error = EACCES;
    if (result.status != IoStatus::ok) return false;
    protocol_.bytes_read(result.bytes);
  }
  return false;
}

// The system does not know when a stream of datagrams has ended.
bool ExclusiveChannel::ended() {
  if (broken_ || os::has_hung_up(stream_->native_handle())) return true;
  if (!stream_->capabilities().self_pacing) return false;
  int error = 0;
  const bool closed = orderly_close_pending(error);
  stream_->set_blocking(true);
  return closed;
}

// No reply follows a oneway, so that its id is later than the last one that the server has answered.
bool ExclusiveChannel::may_leave_tcp() const {
  const giop::Event& last = protocol_.last_event();
  return last.kind == giop::EventKind::reply && last.request_id == protocol_.last_request_id() &&
         is_replaceable();
}

void ExclusiveChannel::tidy() {
  if (at_once_) stream_->set_blocking(true);
  ClientChannel::tidy();
  body_ends_.reset();
  // An unread rest of a body would be taken for the next message.
  if (protocol_.body_missing() != 0) broken_ = true;
}

// Limits the total time of a reply as that of a request: a peer that trickles octets is never silent for
// long.
bool ExclusiveChannel::body_is_late() {
  const auto now = Clock::now();
  if (!body_ends_) body_ends_ = transfer_ends(now, until_deadline);
  return now >= *body_ends_;
}

bool ExclusiveChannel::read_exact(MutableBytes into) {
  while (!into.empty()) {
    const IoResult result = stream_->read(into.first(std::min(into.size(), protocol_.body_missing())));
    if (woke_early(result)) {
      arm_by_deadline(Clock::now());
      continue;
    }
    if (result.status != IoStatus::ok) {
      broken_ = true;
      late_ = result.status == IoStatus::timed_out;
      return false;
    }
    protocol_.body_taken(result.bytes);
    into = into.subspan(result.bytes);
    if (into.empty()) return true;
    if (body_is_late()) {
      broken_ = late_ = true;
      return false;
    }
    if (deadline_ != never) arm_by_deadline(Clock::now());
  }
  return true;
}

HeldOctets ExclusiveChannel::read_in_place(std::size_t count) {
  HeldOctets held = stream_->read_in_place(count);
  protocol_.body_taken(held.size());
  return held;
}

}  // namespace takt::client
