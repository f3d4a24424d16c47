#include "connection/shared_connection.h"

#include <algorithm>

#include <takt/base/probe_site.h>

#include "connection/failure.h"

namespace takt::connection {

using transport::IoResult;
using transport::IoStatus;
using Status = Exchange::Status;

SharedConnection::SharedConnection(std::unique_ptr<transport::Stream> stream, const CoreOptions& options,
                                   std::shared_ptr<ChannelRegistry> registry)
    : stream_(std::move(stream)),
      registry_(std::move(registry)),
      fragment_bytes_(options.fragment_bytes),
      max_waiting_(options.limits.outstanding_requests),
      usual_timeout_(options.round_trip_timeout),
      protocol_(giop::Connection::Role::client, options.limits),
      read_timeout_(usual_timeout_) {
  stream_->set_timeouts(options.round_trip_timeout, options.round_trip_timeout);
  if (!registry_->add(*stream_)) throw_orb_down();
}

SharedConnection::~SharedConnection() { registry_->remove(*stream_); }

std::uint32_t SharedConnection::next_request_id() {
  std::lock_guard lock(state_);
  return protocol_.next_request_id();
}

Exchange SharedConnection::exchange(const Outgoing& call, Waiter& waiter) {
  const auto deadline = call.timeout.count() > 0 ? Clock::now() + call.timeout : Clock::time_point::max();
  if (call.response_expected) {
    std::lock_guard lock(state_);
    if (waiting_.size() >= max_waiting_) return refused(too_many_outstanding);
    waiter.answered.store(false, std::memory_order_relaxed);
    waiting_.add(call.request_id, waiter);
  }
  Exchange sent;
  if (!send(call.request, call.timeout, sent)) {
    std::lock_guard lock(state_);
    if (call.response_expected) waiting_.take(call.request_id);
    fail_all(sent);
    return waiter.answered && call.response_expected ? waiter.exchange : sent;
  }
  if (!call.response_expected) {
    sent.status = Status::sent;
    return sent;
  }
  std::unique_lock lock(state_);
  while (!waiter.answered && Clock::now() < deadline) {
    if (led_)
      await_turn(lock, waiter, deadline);
    else
      lead(lock, waiter, deadline);
  }
  waiting_.take(call.request_id);
  if (!led_) hand_over();
  if (waiter.answered) return waiter.exchange;
  sent.status = Status::timeout;
  sent.sent_in_part = true;
  sent.phase = "wait for the reply";
  return sent;
}

// Until the reply is there, nobody leads any more, or the time is over; perhaps for nothing.
void SharedConnection::await_turn(std::unique_lock<std::mutex>& lock, Waiter& own,
                                  Clock::time_point deadline) {
  lock.unlock();
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(1);
  own.wake.acquire_within(std::clamp(deadline - Clock::now(), std::chrono::nanoseconds(0), longest));
  lock.lock();
}

bool SharedConnection::send(const GatherBuffer& request, std::chrono::nanoseconds timeout,
                            Exchange& exchange) {
  std::lock_guard lock(sending_);
  exchange.phase = "send";
  if (broken()) {
    exchange.status = Status::retry;
    exchange.reason = "the connection failed before";
    return false;
  }
  pieces_.clear();
  giop::fragment(request, fragment_bytes_, pieces_, fragment_headers_);
  const auto deadline = Clock::now() + 10 * timeout;
  std::span<ByteView> left(pieces_);
  while (!left.empty()) {
    TAKT_PROBE(client_io);
    IoResult result = stream_->write_gather(left);
    TAKT_PROBE(client_transport_receive);
    const bool late = timeout.count() > 0 && Clock::now() > deadline;
    if (result.status != IoStatus::ok || late) {
      exchange.status = late || result.status == IoStatus::timed_out ? Status::timeout : Status::failed;
      exchange.error = result.error;
      exchange.reason = "the connection failed";
      return false;
    }
    exchange.sent_in_part = true;
    while (!left.empty() && result.bytes >= left.front().size()) {
      result.bytes -= left.front().size();
      left = left.subspan(1);
    }
    if (!left.empty()) left.front() = left.front().subspan(result.bytes);
  }
  return true;
}

// Whoever leads must be back by its own deadline, which may come before the usual timeout does.
void SharedConnection::wake_by(Clock::time_point deadline) {
  auto timeout = usual_timeout_;
  if (deadline != Clock::time_point::max()) {
    const auto left =
        std::max<std::chrono::nanoseconds>(deadline - Clock::now(), std::chrono::microseconds(1));
    if (usual_timeout_.count() == 0 || left < usual_timeout_ / 2) timeout = left;
  }
  if (timeout == read_timeout_) return;
  stream_->set_timeouts(timeout, usual_timeout_);
  read_timeout_ = timeout;
}

// Reads until its own reply is there or its time is over; the lock is open while it reads.
void SharedConnection::lead(std::unique_lock<std::mutex>& lock, Waiter& own, Clock::time_point deadline) {
  led_ = true;
  while (!own.answered && !broken() && Clock::now() < deadline) {
    const MutableBytes space = protocol_.read_space();
    wake_by(deadline);
    lock.unlock();
    const IoResult result = stream_->read(space);
    TAKT_PROBE(client_messaging_receive);
    lock.lock();
    if (result.status == IoStatus::timed_out) continue;
    if (result.status != IoStatus::ok) {
      fail_all(end_of_reading(result));
      break;
    }
    protocol_.bytes_read(result.bytes);
    if (const auto end = deliver(protocol_, waiting_)) fail_all(*end);
  }
  led_ = false;
}

// Somebody who waits must read, now that nobody does.
void SharedConnection::hand_over() {
  if (Waiter* next = waiting_.any_unanswered()) next->wake.release();
}

void SharedConnection::fail_all(const Exchange& exchange) {
  broken_ = true;
  waiting_.end_all(exchange);
  stream_->shut_down();
}

}  // namespace takt::connection
