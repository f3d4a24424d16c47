#include "connection/shared_connection.h"

#include <takt/base/probe_site.h>

#include "connection/failure.h"

namespace takt::connection {

using transport::IoResult;
using transport::IoStatus;
using Status = Exchange::Status;

namespace {

// The reply's views, moved from the shared receive buffer into the waiter's own storage. CDR alignment
// counts from body_index, so the copy begins at an address of the same residue.
void copy_reply(const giop::Event& event, Waiter& waiter) {
  waiter.reply = event;
  const ByteView contexts = event.contexts.octets();
  const ByteView body = event.parts ? event.parts->octets() : event.body;
  const std::size_t lead_in = event.parts ? 0 : event.body_index % 8;
  waiter.storage.resize(lead_in + body.size() + contexts.size());
  const auto after =
      std::copy(body.begin(), body.end(), waiter.storage.begin() + static_cast<std::ptrdiff_t>(lead_in));
  std::copy(contexts.begin(), contexts.end(), after);
  const ByteView copy = waiter.storage;
  waiter.reply.contexts = event.contexts.moved_to(copy.last(contexts.size()));
  if (event.parts) {
    waiter.parts = event.parts->moved_to(copy.first(body.size()));
    waiter.reply.parts = &waiter.parts;
    waiter.reply.body = copy.subspan(body.size() - event.body_missing - event.body.size(), event.body.size());
  } else {
    waiter.reply.body = copy.subspan(lead_in, body.size());
  }
}

}  // namespace

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

Exchange SharedConnection::exchange(const GatherBuffer& request, std::uint32_t request_id,
                                    bool response_expected, std::chrono::nanoseconds timeout,
                                    Waiter& waiter) {
  const auto deadline = timeout.count() > 0 ? Clock::now() + timeout : Clock::time_point::max();
  if (response_expected) {
    std::lock_guard lock(state_);
    if (waiting_.size() >= max_waiting_) {
      Exchange full;
      full.status = Status::refused;
      full.phase = "send";
      full.reason = "-ORBMaxOutstandingRequests are without a reply; wait for one, or allow more";
      return full;
    }
    waiter.answered = false;
    waiting_[request_id] = &waiter;
  }
  Exchange sent;
  if (!send(request, timeout, sent)) {
    std::lock_guard lock(state_);
    waiting_.erase(request_id);
    fail_all(sent);
    return waiter.answered && response_expected ? waiter.exchange : sent;
  }
  if (!response_expected) {
    sent.status = Status::sent;
    return sent;
  }
  std::unique_lock lock(state_);
  while (!waiter.answered && Clock::now() < deadline) {
    if (!led_)
      lead(lock, waiter, deadline);
    else if (deadline == Clock::time_point::max())
      waiter.wake.wait(lock);
    else
      waiter.wake.wait_until(lock, deadline);
  }
  waiting_.erase(request_id);
  if (!led_) hand_over();
  if (waiter.answered) return waiter.exchange;
  sent.status = Status::timeout;
  sent.sent_in_part = true;
  sent.phase = "wait for the reply";
  return sent;
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
      Exchange exchange;
      exchange.sent_in_part = true;
      exchange.error = result.error;
      exchange.phase = "wait for the reply";
      exchange.reason = result.status == IoStatus::end_of_stream
                            ? "the server closed the connection without a word"
                            : "the connection failed";
      fail_all(exchange);
      break;
    }
    protocol_.bytes_read(result.bytes);
    deliver();
  }
  led_ = false;
}

void SharedConnection::deliver() {
  for (;;) {
    const giop::Event& event = protocol_.next_event();
    if (event.kind == giop::EventKind::none) return;
    if (event.kind == giop::EventKind::reply) {
      const auto found = waiting_.find(event.request_id);
      if (found == waiting_.end()) continue;  // late, of a call that timed out
      Waiter& waiter = *found->second;
      copy_reply(event, waiter);
      waiter.exchange = {};
      waiter.exchange.status = Status::reply;
      waiter.answered = true;
      waiter.wake.notify_one();
      waiting_.erase(found);
      continue;
    }
    Exchange exchange;
    exchange.phase = "wait for the reply";
    const bool orderly = event.kind == giop::EventKind::close;
    exchange.status = orderly ? Status::retry : Status::failed;
    exchange.sent_in_part = !orderly;
    exchange.reason =
        orderly ? "the server closed the connection in good order" : "the server sent what is not GIOP";
    fail_all(exchange);
    return;
  }
}

// Somebody who waits must read, now that nobody does.
void SharedConnection::hand_over() {
  for (auto& [id, waiter] : waiting_)
    if (!waiter->answered) {
      waiter->wake.notify_one();
      return;
    }
}

void SharedConnection::fail_all(const Exchange& exchange) {
  broken_ = true;
  for (auto& [id, waiter] : waiting_) {
    waiter->exchange = exchange;
    waiter->answered = true;
    waiter->wake.notify_one();
  }
  waiting_.clear();
  stream_->shut_down();
}

}  // namespace takt::connection
