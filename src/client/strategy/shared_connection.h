// A stream on which many threads send, and one of them, the leader, reads for all.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <takt/transport/stream.h>

#include "client/channel/channel_registry.h"
#include "client/channel/client_channel.h"
#include "client/client.h"
#include "client/strategy/kept_connection.h"
#include "client/strategy/waiting_calls.h"
#include "giop/fragments/fragment.h"
#include "os/poll/wait.h"
#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/priority_loan.h"

namespace takt::client {

// Any thread. Lock order: sending_ before state_. Priority inversion is bounded by one step of the less
// urgent call. Both locks inherit priority, the leader runs at the priority of the most urgent caller that
// waits for it, and that caller leads next. Only a peer that takes no octets can delay senders, each for its
// own timeout; a caller whose time is over before its request was begun leaves the connection to the others.
// It is large because senders and leader share one connection, under two locks.
class SharedConnection final : public KeptConnection {
 public:
  using Caller = Waiter;

  SharedConnection(std::unique_ptr<transport::Stream> stream, const Client& client,
                   const giop::Messaging& messaging, std::shared_ptr<ChannelRegistry> registry);
  ~SharedConnection();

  std::uint32_t next_request_id();
  // Like ClientChannel::exchange(), for any number of threads at once.
  Exchange exchange(const Outgoing& call, Waiter& waiter);
  // Like ClientChannel::cancel(); `request` is the start of the encoded request.
  void cancel(const std::uint8_t* request, std::uint32_t request_id, Waiter& waiter);
  std::chrono::nanoseconds usual_timeout() const { return usual_timeout_; }
  bool broken() const override {
    return cut_.load(std::memory_order_relaxed) || broken_.load(std::memory_order_relaxed);
  }
  // Like ClientChannel::ended().
  bool ended() const { return broken() || os::has_hung_up(stream_->native_handle()); }
  giop::lite::ClientNames* names() const { return names_.get(); }  // null: GIOP only
  OctetBuffer borrow(std::size_t bytes) { return stream_->borrow(bytes); }
  std::uint16_t expansion() const { return protocol_.expansion(); }
  giop::compression::Wanted wanted_by_peer() const { return protocol_.wanted_by_peer(); }
  std::string describe() const { return stream_->describe(); }
  std::string peer_address() const { return stream_->peer_address(); }
  bool is_replaceable() const override { return stream_->capabilities().replaceable_by_road; }

 private:
  using Clock = std::chrono::steady_clock;
  using IoResult = transport::IoResult;
  using Lock = std::unique_lock<os::PriorityMutex>;

  struct Sending;
  enum class Sent : std::uint8_t { whole, not_begun, cut };
  Sent send(const Outgoing& call, Exchange& exchange, Waiter& waiter, Clock::time_point deadline);
  bool goes_on_sending(Sending& sending, const IoResult& result);
  bool is_shorter(std::chrono::nanoseconds time) const;
  void write_within(std::chrono::nanoseconds time);
  Exchange not_sent(const Exchange& sent, const Outgoing& call, Waiter& waiter, Clock::time_point deadline);
  void await_answer(Lock& lock, Waiter& own, os::PriorityLoan& loan, Clock::time_point deadline);
  void lead(Lock& lock, Waiter& own, os::PriorityLoan& loan, Clock::time_point deadline);
  void lower_loan(os::PriorityLoan& loan);
  void read_some(Lock& lock, Clock::time_point deadline);
  void wake_by(Clock::time_point deadline);
  void await_turn(Lock& lock, Waiter& own, Clock::time_point deadline);
  void hand_over();
  void fail_all(const Exchange& exchange);

  const std::unique_ptr<transport::Stream> stream_;
  const std::shared_ptr<ChannelRegistry> registry_;
  const std::size_t fragment_bytes_;
  const std::size_t max_waiting_;
  const std::chrono::nanoseconds usual_timeout_;
  const std::unique_ptr<giop::lite::ClientNames> names_;
  std::atomic<bool> cut_{false};     // a message may be incomplete, so nothing may follow it
  std::atomic<bool> broken_{false};  // and all callers were notified
  Exchange ended_;                   // why

  os::PriorityMutex sending_;
  std::vector<ByteView> pieces_;
  giop::FragmentHeaders fragment_headers_;
  // As set on the stream, 0 for ever. Written with both locks.
  std::chrono::nanoseconds write_timeout_;

  os::PriorityMutex state_;
  giop::Connection protocol_;
  WaitingCalls waiting_;
  os::PriorityLoan* leader_ = nullptr;  // the loan to the leader; null: there is no leader
  bool closed_orderly_ = false;
  std::chrono::nanoseconds read_timeout_;  // as set on the stream
};

}  // namespace takt::client
