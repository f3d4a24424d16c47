#include "client/strategy/shared_connection.h"

#include <algorithm>
#include <cerrno>
#include <new>

#include <takt/base/probe_site.h>

#include "client/channel/failure.h"
#include "client/channel/time_steps.h"
#include "giop/close.h"
#include "threads/locks/priority_mutex.h"
#include "transport/message_writer.h"

namespace takt::client {

using transport::IoStatus;
using Status = Exchange::Status;

namespace {

// Clears the leader on every exit, including bad_alloc.
class Reset {
 public:
  explicit Reset(os::PriorityLoan*& leader) : leader_(leader) {}
  ~Reset() { leader_ = nullptr; }
  Reset(const Reset&) = delete;
  Reset& operator=(const Reset&) = delete;

 private:
  os::PriorityLoan*& leader_;
};

}  // namespace

SharedConnection::SharedConnection(std::unique_ptr<transport::Stream> stream, const Client& client,
                                   const giop::Messaging& messaging,
                                   std::shared_ptr<ChannelRegistry> registry)
    : stream_(std::move(stream)),
      registry_(std::move(registry)),
      fragment_bytes_(client.protocol.fragment_bytes),
      max_waiting_(client.protocol.limits->outstanding_requests),
      usual_timeout_(client.options.round_trip_timeout),
      names_(giop::lite::names_for(messaging)),
      write_timeout_(usual_timeout_),
      protocol_(giop::Connection::Role::client, *client.protocol.limits, messaging,
                client.protocol.methods_of(messaging)),
      read_timeout_(usual_timeout_) {
  stream_->set_timeouts(client.options.round_trip_timeout, client.options.round_trip_timeout);
  if (!registry_->add(*stream_)) throw_orb_down();
}

SharedConnection::~SharedConnection() { registry_->remove(*stream_, ended_); }

std::uint32_t SharedConnection::next_request_id() {
  std::lock_guard lock(state_);
  return protocol_.next_request_id();
}

Exchange SharedConnection::exchange(const Outgoing& call, Waiter& waiter) {
  const auto deadline = call.timeout.count() > 0 ? Clock::now() + call.timeout : Clock::time_point::max();
  waiter.answered.store(false, std::memory_order_relaxed);
  waiter.begun = false;
  waiter.reads_itself = true;
  if (call.response_expected) {
    std::lock_guard lock(state_);
    if (waiting_.size() >= max_waiting_) return refused(too_many_outstanding);
    waiting_.add(call.request_id, waiter);
  }
  Exchange sent;
  try {
    const Sent done = send(call, sent, waiter, deadline);
    if (done == Sent::cut) return not_sent(sent, call, waiter, deadline);
    if (done == Sent::not_begun) {  // a thread that has cut the connection notifies the others
      std::lock_guard lock(state_);
      waiting_.take(call.request_id);
      return sent;
    }
  } catch (const std::bad_alloc&) {  // thrown before anything was sent
    std::lock_guard lock(state_);
    waiting_.take(call.request_id);
    sent = {.status = Status::no_memory, .phase = "send", .reason = "there is no memory for it"};
    return sent;
  }
  if (!call.response_expected) {
    sent.status = Status::sent;
    return sent;
  }
  os::PriorityLoan loan;  // ends after the next leader was woken, and without the lock
  Lock lock(state_);
  await_answer(lock, waiter, loan, deadline);
  waiting_.take(call.request_id);
  if (!leader_) hand_over();
  if (waiter.answered) return waiter.exchange;
  sent.status = Status::timeout;
  sent.sent_in_part = true;
  sent.phase = "wait for the reply";
  return sent;
}

// Waits neither for other senders nor for room; in these cases it sends nothing.
void SharedConnection::cancel(const std::uint8_t* request, std::uint32_t request_id, Waiter&) {
  const std::unique_lock lock(sending_, std::try_to_lock);
  if (!lock || broken() || !stream_->has_room_for_small_write()) return;
  const auto message = giop::cancel_request(request, request_id);
  if (stream_->write(message).bytes != message.size()) cut_ = true;
}

// Leads while there is no other leader.
void SharedConnection::await_answer(Lock& lock, Waiter& own, os::PriorityLoan& loan,
                                    Clock::time_point deadline) {
  while (!own.answered && Clock::now() < deadline) {
    if (leader_)
      await_turn(lock, own, deadline);
    else
      lead(lock, own, loan, deadline);
  }
}

// The write may have failed because of an orderly close that was announced earlier, so the input is read
// before all callers are notified.
Exchange SharedConnection::not_sent(const Exchange& sent, const Outgoing& call, Waiter& waiter,
                                    Clock::time_point deadline) {
  os::PriorityLoan loan;
  Lock lock(state_);
  if (sent.status == Status::failed && !broken_) {
    if (!call.response_expected) waiting_.add(call.request_id, waiter);
    stream_->shut_down_reading();
    await_answer(lock, waiter, loan, deadline);
  }
  waiting_.take(call.request_id);
  Exchange of_others = sent;
  if (sent.status == Status::timeout) {  // it was this call's time that was over
    of_others.status = Status::failed;
    of_others.reason = "the connection was given up in the middle of another call's request";
  }
  fail_all(of_others);
  const bool told = waiter.answered && waiter.exchange.status != Status::failed;
  Exchange ending = told ? waiter.exchange : sent;
  if (closed_orderly_ && !told) ending.status = Status::retry;
  if (waiter.answered && waiter.exchange.error == EACCES) {  // the peer's reason for the rejection
    ending.error = EACCES;
    ending.reason = waiter.exchange.reason;
  }
  ending.sent_in_part &= sent.sent_in_part;  // only this thread knows that
  return ending;
}

// Waits until the reply has arrived, there is no leader, or the time is over. May return early.
void SharedConnection::await_turn(Lock& lock, Waiter& own, Clock::time_point deadline) {
  own.urgency = os::own_urgency();
  leader_->raise(own.urgency);
  own.asleep = true;
  lock.unlock();
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(1);
  own.wake.acquire_within(std::clamp(deadline - Clock::now(), std::chrono::nanoseconds(0), longest));
  lock.lock();
  own.asleep = false;
}

// A request that is being sent.
struct SharedConnection::Sending {
  Exchange& exchange;
  const std::chrono::nanoseconds patience;  // with a peer that takes nothing; 0: for ever
  const Clock::time_point ends;
  Clock::time_point progress;  // when the peer last took octets
};

SharedConnection::Sent SharedConnection::send(const Outgoing& call, Exchange& exchange, Waiter& waiter,
                                              Clock::time_point deadline) {
  std::unique_lock lock(sending_, std::try_to_lock);
  if (!lock && deadline == Clock::time_point::max()) lock.lock();
  if (!lock && !lock.try_lock_until(deadline)) {
    exchange.status = Status::timeout;
    exchange.phase = "wait for the requests before it to be sent";
    return Sent::not_begun;
  }
  exchange.phase = "send";
  if (broken()) {
    exchange.status = Status::retry;
    exchange.reason = "the connection failed before";
    return Sent::not_begun;
  }
  const auto now = Clock::now();
  if (now >= deadline) {
    exchange.status = Status::timeout;
    return Sent::not_begun;
  }
  pieces_.clear();
  giop::fragment(call.request, fragment_bytes_, pieces_, fragment_headers_);
  const bool is_bounded = call.timeout.count() > 0;
  const auto whole = now + transport::silences_per_message * call.timeout;
  Sending sending{.exchange = exchange,
                  .patience = is_bounded ? call.timeout : usual_timeout_,
                  .ends = !is_bounded              ? Clock::time_point::max()
                          : call.ends_with_timeout ? deadline
                                                   : whole,
                  .progress = now};
  const auto first_wait = std::min<std::chrono::nanoseconds>(sending.patience, sending.ends - now);
  if (is_shorter(first_wait)) write_within(first_wait);
  std::span<ByteView> left(pieces_);
  waiter.begun = true;
  TAKT_PROBE(client_io);
  const bool sent = transport::write_message(
      *stream_, left, [&](const IoResult& result) { return goes_on_sending(sending, result); });
  TAKT_PROBE(client_transport_receive);
  exchange.sent_in_part |= sent;
  return sent ? Sent::whole : cut_ ? Sent::cut : Sent::not_begun;
}

// After a write that took a part, or nothing. False: the exchange has ended.
bool SharedConnection::goes_on_sending(Sending& sending, const IoResult& result) {
  Exchange& exchange = sending.exchange;
  exchange.sent_in_part |= result.bytes != 0;
  const auto now = Clock::now();
  if (result.bytes != 0) sending.progress = now;
  const auto silent_until =
      sending.patience.count() != 0 ? sending.progress + sending.patience : Clock::time_point::max();
  const auto until = std::min(silent_until, sending.ends);
  if (now < until && (result.status == IoStatus::ok || result.status == IoStatus::timed_out)) {
    const auto wait = until == Clock::time_point::max() ? std::chrono::nanoseconds(0) : until - now;
    const bool woke_early = result.status == IoStatus::timed_out;  // for the sake of another call
    if (woke_early || is_shorter(wait)) write_within(wait);
    return true;
  }
  const bool failed = result.status != IoStatus::ok && result.status != IoStatus::timed_out;
  exchange.status = failed ? Status::failed : Status::timeout;
  exchange.error = result.error;
  exchange.reason = "the connection failed";
  const bool given_up = usual_timeout_.count() != 0 && now - sending.progress >= usual_timeout_;
  cut_ = failed || given_up || exchange.sent_in_part;
  return false;
}

// Whether the stream would let a write block for longer. Call with sending_ held.
bool SharedConnection::is_shorter(std::chrono::nanoseconds time) const {
  return time.count() != 0 && (write_timeout_.count() == 0 || time < write_timeout_);
}

// Call with sending_ held.
void SharedConnection::write_within(std::chrono::nanoseconds time) {
  const std::lock_guard lock(state_);
  write_timeout_ = time.count() == 0 ? time : in_steps(time);
  stream_->set_write_timeout(write_timeout_);
}

// The leader must return by its own deadline, which may be before the usual timeout. Where it is hardly
// before, it is late by an eighth of that at most, and calls with the usual timeout set no timer.
void SharedConnection::wake_by(Clock::time_point deadline) {
  auto timeout = usual_timeout_;
  if (deadline != Clock::time_point::max()) {
    const auto left =
        std::max<std::chrono::nanoseconds>(deadline - Clock::now(), std::chrono::microseconds(1));
    if (usual_timeout_.count() == 0 || left < usual_timeout_ - usual_timeout_ / 8)
      timeout = left < usual_timeout_ / 2 ? left : in_steps(left);
  }
  if (timeout == read_timeout_) return;
  stream_->set_timeouts(timeout, write_timeout_);
  read_timeout_ = timeout;
}

// Reads until its own reply has arrived or its time is over. Unlocks during reads.
void SharedConnection::lead(Lock& lock, Waiter& own, os::PriorityLoan& loan, Clock::time_point deadline) {
  loan.begin();
  leader_ = &loan;
  const Reset resigns(leader_);
  while (!own.answered && !broken_ && Clock::now() < deadline) {
    try {
      read_some(lock, deadline);
    } catch (const std::bad_alloc&) {
      if (!lock) lock.lock();
      fail_all({.status = Status::no_memory,
                .phase = "wait for the reply",
                .reason = "there is no memory for the server's message"});
    }
    if (loan.lent() != 0) [[unlikely]]
      lower_loan(loan);
  }
}

// Callers that lent their priority may have their replies by now.
void SharedConnection::lower_loan(os::PriorityLoan& loan) {
  const Waiter* const first = waiting_.most_urgent_asleep();
  loan.lower(first ? first->urgency : 0);
}

void SharedConnection::read_some(Lock& lock, Clock::time_point deadline) {
  const MutableBytes space = protocol_.read_space();
  wake_by(deadline);
  lock.unlock();
  const IoResult result = stream_->read(space);
  TAKT_PROBE(client_messaging_receive);
  lock.lock();
  if (result.status == IoStatus::timed_out) return;
  if (result.status != IoStatus::ok) return fail_all(end_of_reading(protocol_, result));
  protocol_.bytes_read(result.bytes);
  if (const auto end = deliver(protocol_, waiting_)) {
    closed_orderly_ |= end->status == Status::retry;
    fail_all(*end);
  }
}

// Without a leader, one of the waiting callers must read. A caller that is still sending checks this itself
// afterwards, and may be unable to finish before another thread reads.
void SharedConnection::hand_over() {
  if (Waiter* next = waiting_.most_urgent_asleep()) next->wake.release();
}

// The result of a request depends on whether it was sent, unless the server reports that it did not start it.
void SharedConnection::fail_all(const Exchange& exchange) {
  if (!broken_) ended_ = exchange;
  broken_ = true;
  waiting_.end_each([&exchange](const Waiter& waiter) {
    Exchange ending = exchange;
    if (ending.status != Status::retry) ending.sent_in_part = waiter.begun;
    return ending;
  });
  stream_->shut_down();
}

}  // namespace takt::client
