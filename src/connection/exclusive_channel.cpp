#include "connection/exclusive_channel.h"

#include <algorithm>
#include <cstring>

#include "connection/failure.h"

namespace takt::connection {

using transport::IoResult;
using transport::IoStatus;
using Status = Exchange::Status;

namespace {
// Bodies longer than this are read straight into the caller's results.
constexpr std::size_t stream_threshold_bytes = 32 * 1024;
}  // namespace

ExclusiveChannel::ExclusiveChannel(std::unique_ptr<transport::Stream> stream, const CoreOptions& options,
                                   std::shared_ptr<ChannelRegistry> registry)
    : stream_(std::move(stream)),
      protocol_(giop::Connection::Role::client, options.limits),
      registry_(std::move(registry)),
      fragment_bytes_(options.fragment_bytes) {
  protocol_.stream_bodies(stream_threshold_bytes);
  if (!registry_->add(*stream_)) throw_orb_down();
}

ExclusiveChannel::~ExclusiveChannel() { registry_->remove(*stream_); }

bool ExclusiveChannel::set_timeout(std::chrono::nanoseconds timeout) {
  if (timeout != armed_timeout_) [[unlikely]] {
    if (!stream_->set_timeouts(timeout, timeout)) return false;
    armed_timeout_ = timeout;
  }
  return true;
}

Exchange ExclusiveChannel::exchange(std::uint32_t request_id, bool response_expected,
                                    std::chrono::nanoseconds timeout) {
  set_timeout(timeout);
  Exchange exchange;
  if (!send(exchange, timeout)) [[unlikely]] {
    broken_ = true;
    return exchange;
  }
  if (!response_expected) {
    exchange.status = Status::sent;
    return exchange;
  }
  return await_reply(request_id, timeout);
}

bool ExclusiveChannel::send(Exchange& exchange, std::chrono::nanoseconds timeout) {
  const std::size_t size = out_.size();
  if (out_.contiguous() && (fragment_bytes_ == 0 || size <= fragment_bytes_)) [[likely]] {
    const IoResult result = stream_->write({out_.owned(), size});
    if (result.status == IoStatus::ok && result.bytes == size) [[likely]]
      return true;
    if (result.status != IoStatus::ok) {
      exchange = failure(exchange, result, "send");
      return false;
    }
    pieces_.assign(1, ByteView(out_.owned(), size).subspan(result.bytes));
    exchange.sent_in_part = true;
  } else {
    pieces_.clear();
    giop::fragment(out_, fragment_bytes_, pieces_, fragment_headers_);
  }
  return send_pieces(exchange, timeout);
}

// What one system call could not take. The peer must take something every `timeout`, and all of it
// within ten times that.
bool ExclusiveChannel::send_pieces(Exchange& exchange, std::chrono::nanoseconds timeout) {
  std::span<ByteView> left(pieces_);
  std::optional<Clock::time_point> deadline;
  while (!left.empty()) {
    IoResult result = stream_->write_gather(left);
    if (result.status != IoStatus::ok) {
      exchange = failure(exchange, result, "send");
      return false;
    }
    exchange.sent_in_part = true;
    while (!left.empty() && result.bytes >= left.front().size()) {
      result.bytes -= left.front().size();
      left = left.subspan(1);
    }
    if (left.empty()) break;
    left.front() = left.front().subspan(result.bytes);
    const auto now = Clock::now();
    if (!deadline) deadline = now + 10 * timeout;
    if (timeout.count() > 0 && now > *deadline) {
      exchange.status = Status::timeout;
      exchange.phase = "send";
      return false;
    }
  }
  return true;
}

// A silent peer has `timeout`; one that sends, but not this reply, has as long again in all from its first
// octets on, so that the clock is read only then.
Exchange ExclusiveChannel::await_reply(std::uint32_t request_id, std::chrono::nanoseconds timeout) {
  Exchange exchange;
  exchange.sent_in_part = true;
  std::optional<Clock::time_point> deadline;
  for (;;) {
    const IoResult result = stream_->read(protocol_.read_space());
    if (result.status != IoStatus::ok) [[unlikely]] {
      broken_ = true;
      if (result.status == IoStatus::end_of_stream) protocol_.end_of_stream();
      return failure(exchange, result, "wait for the reply");
    }
    protocol_.bytes_read(result.bytes);
    for (reply_ = protocol_.next_event(); reply_.kind != giop::EventKind::none;
         reply_ = protocol_.next_event()) {
      if (reply_.kind == giop::EventKind::reply && reply_.request_id == request_id) [[likely]] {
        exchange.status = Status::reply;
        return exchange;
      }
      if (reply_.kind == giop::EventKind::reply) continue;  // late, of a call that timed out
      broken_ = true;
      exchange.phase = "wait for the reply";
      if (reply_.kind == giop::EventKind::close) {
        exchange.status = Status::retry;
        exchange.sent_in_part = false;
        exchange.reason = "the server closed the connection in good order";
      } else {
        exchange.status = Status::failed;
        exchange.reason = reply_.kind == giop::EventKind::message_error
                              ? "the server did not understand our message (MessageError)"
                              : "the server sent what is not GIOP";
      }
      return exchange;
    }
    const auto now = Clock::now();
    if (!deadline) deadline = now + timeout;
    if (timeout.count() > 0 && now >= *deadline) {
      broken_ = true;
      exchange.status = Status::timeout;
      exchange.phase = "wait for the reply";
      return exchange;
    }
    if (timeout.count() > 0) set_timeout(*deadline - now);
  }
}

Exchange ExclusiveChannel::failure(Exchange exchange, const IoResult& result, const char* phase) {
  exchange.phase = phase;
  exchange.error = result.error;
  if (result.status == IoStatus::timed_out) {
    exchange.status = Status::timeout;
    return exchange;
  }
  // What stopped us may be the end of a close that the server announced before.
  if (orderly_close_pending()) {
    exchange.status = Status::retry;
    exchange.sent_in_part = false;
    exchange.reason = "the server closed the connection in good order";
    return exchange;
  }
  exchange.status = Status::failed;
  exchange.reason = result.status == IoStatus::end_of_stream ? "the server closed the connection without a word"
                                                             : "the connection failed";
  return exchange;
}

bool ExclusiveChannel::orderly_close_pending() {
  stream_->set_blocking(false);
  const IoResult result = stream_->read(protocol_.read_space());
  if (result.status != IoStatus::ok) return false;
  protocol_.bytes_read(result.bytes);
  for (auto event = protocol_.next_event(); event.kind != giop::EventKind::none;
       event = protocol_.next_event())
    if (event.kind == giop::EventKind::close) return true;
  return false;
}

void ExclusiveChannel::done() {
  busy_ = false;
  unpin();
  // A body that nobody decoded to its end would be taken for the next message.
  if (protocol_.body_missing() != 0) [[unlikely]]
    broken_ = true;
}

bool ExclusiveChannel::read_exact(MutableBytes into) {
  while (!into.empty()) {
    const IoResult result = stream_->read(into.first(std::min(into.size(), protocol_.body_missing())));
    if (result.status != IoStatus::ok) {
      broken_ = true;
      return false;
    }
    protocol_.body_taken(result.bytes);
    into = into.subspan(result.bytes);
  }
  return true;
}

ByteView ExclusiveChannel::more(std::size_t at_least) {
  const std::size_t count = std::min(protocol_.body_missing(), std::max(at_least, stream_threshold_bytes));
  if (count < at_least) return {};
  tail_.resize(count);
  if (!read_exact(tail_)) return {};
  return tail_;
}

}  // namespace takt::connection
