// A stream whose own thread writes the requests of many threads and reads their replies.
#pragma once

#include <atomic>
#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <takt/transport/stream.h>

#include "client/channel/channel_registry.h"
#include "client/channel/client_channel.h"
#include "client/client.h"
#include "client/strategy/kept_connection.h"
#include "client/strategy/send_queue.h"
#include "client/strategy/waiting_calls.h"
#include "giop/fragments/fragment.h"
#include "os/reactor/reactor.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/priority_loan.h"
#include "threads/thread.h"

namespace takt::client {

// Any thread. Callers queue whole requests and wait for their own replies. The connection's thread uses the
// socket, so a peer that does not read cannot delay a caller beyond its timeout. A caller takes mutex_ once,
// and again if its time is over; it is held for a few instructions and inherits priority. The thread runs at
// the priority of the most urgent waiting call, and hands on a call that has ended at the priority of that
// call at least. A caller that posts a request while nothing is under way writes it itself, as far as the
// system takes it at once, with mutex_ held. It is large because callers and thread share the queue, the
// room, and who waits, under one lock.
class ActiveConnection final : public KeptConnection, private os::EventHandler {
 public:
  using Clock = std::chrono::steady_clock;

  // A caller, with buffers to prepare its message without holding the lock.
  struct Caller : Waiter {
    std::vector<std::uint8_t> message;
    std::vector<ByteView> pieces;
    giop::FragmentHeaders fragment_headers;
  };

  // `prepare` runs first in the new thread. `chains`: see WaitingCalls. Fails with an errno value if the
  // system is out of threads or descriptors. Throws BAD_INV_ORDER if the ORB is down.
  static std::expected<std::shared_ptr<ActiveConnection>, int> begin(
      std::unique_ptr<transport::Stream> stream, const Client& client, const giop::Messaging& messaging,
      std::shared_ptr<ChannelRegistry> registry, std::function<void()> prepare,
      std::size_t chains = WaitingCalls::usual_chains);
  // Hands queued messages to the system as far as it takes them at once, and closes.
  ~ActiveConnection();

  std::uint32_t next_request_id() { return next_id_.fetch_add(2, std::memory_order_relaxed); }
  // Like ClientChannel::exchange(), for any number of threads at once.
  Exchange exchange(const Outgoing& call, Caller& caller);
  // Like Poster::post(), for any number of threads at once. `caller` must live until it has ended.
  std::optional<Exchange> post(const Outgoing& call, Caller& caller, Clock::time_point room_by);
  // Ends a posted call with this status, unless it has ended. Then `caller` may belong to another call.
  void give_up_posted(std::uint32_t request_id, Caller& caller, Exchange::Status status);
  // Ends the posted calls whose Waiter::late_at has passed, with `timeout`.
  void give_up_late(Clock::time_point now);
  // Whether the server has replied to any request, and so has read the first one.
  bool has_replied() const { return has_replied_.load(std::memory_order_relaxed); }
  // Whether the calling thread reads for a connection, so that it must never wait for one.
  static bool is_reading_thread() { return read_here_ != nullptr; }
  // Like ClientChannel::cancel(); `request` is the start of the encoded request.
  void cancel(const std::uint8_t* request, std::uint32_t request_id, Caller& caller);
  std::chrono::nanoseconds usual_timeout() const { return usual_timeout_; }
  bool broken() const override { return broken_.load(std::memory_order_relaxed); }
  // Whether nothing waits to be sent, or for a reply.
  bool is_idle() const;
  // Ends the connection if it is idle; later requests on it fail with `retry`. False: it is in use.
  bool retire();
  bool ended() const { return broken(); }  // the thread has read the end of the stream
  giop::lite::ClientNames* names() const { return names_.get(); }  // null: GIOP only
  // Always empty: messages wait in a queue, as copies.
  OctetBuffer borrow(std::size_t) { return {}; }
  std::uint16_t expansion() const { return protocol_.expansion(); }
  giop::compression::Wanted wanted_by_peer() const { return protocol_.wanted_by_peer(); }
  std::string describe() const { return stream_->describe(); }
  std::string peer_address() const { return stream_->peer_address(); }
  bool is_replaceable() const override { return stream_->capabilities().replaceable_by_road; }

 private:
  ActiveConnection(std::unique_ptr<transport::Stream> stream, const Client& client,
                   const giop::Messaging& messaging, std::unique_ptr<os::Reactor> reactor,
                   std::size_t chains);

  // Called by callers.
  struct Packed {
    ByteView octets;
    bool is_copied;  // by the queue; the others are in the caller's message
  };
  Packed pack(const GatherBuffer& request, Caller& caller) const;
  std::optional<Exchange> enqueue(const Outgoing& call, const Packed& packed, Caller& caller);
  Exchange wait(const Outgoing& call, Caller& caller);
  Exchange give_up(std::uint32_t request_id, Caller& caller);
  Exchange withdraw(std::uint32_t request_id, const Waiter& waiter);
  bool has_room(std::size_t octets) const;
  void note_room();
  Exchange failed_before() const;
  void wake_thread();
  bool may_write_here() const;
  bool is_one_piece(const GatherBuffer& request) const;
  bool post_at_once(const Outgoing& call, Caller& caller);
  void note_caller(Caller& caller);

  // Called by the thread.
  void run(const std::function<void()>& prepare) noexcept;
  std::chrono::nanoseconds patience() const;
  std::chrono::nanoseconds next_wait();
  void read_if_due();
  void on_ready(os::Interest ready) noexcept override;
  void read_some();
  std::optional<Exchange> deliver_all();
  void write_some();
  void fail_writing(const transport::IoResult& result);
  bool collect(std::size_t sent);
  void lower_loan(os::Urgency handing_on);
  void set_stalled(bool still);
  void fail(const Exchange& how) noexcept;

  const std::unique_ptr<transport::Stream> stream_;
  std::shared_ptr<ChannelRegistry> registry_;  // set once the stream is registered
  const std::shared_ptr<const giop::Limits> limits_;
  const std::shared_ptr<const giop::compression::Methods> methods_;  // the methods that protocol_ uses
  const std::size_t fragment_bytes_;
  const std::size_t max_waiting_;
  const std::chrono::nanoseconds usual_timeout_;
  const std::unique_ptr<giop::lite::ClientNames> names_;
  std::atomic<std::uint32_t> next_id_{2};
  std::atomic<bool> broken_{false};
  Exchange ended_;  // why; only the thread writes it
  std::atomic<bool> has_replied_{false};
  static inline thread_local constinit const ActiveConnection* read_here_ = nullptr;  // by this thread
  std::atomic<bool> stopping_{false};
  std::atomic<bool> has_work_{false};  // the queue is not empty

  mutable os::PriorityMutex mutex_;
  SendQueue queue_;
  WaitingCalls waiting_;
  os::PriorityCondition room_;     // more room for requests
  std::size_t wait_for_room_ = 0;  // threads
  os::PriorityLoan loan_;          // priority lent to the thread by waiting calls
  bool refused_ = false;           // the peer rejects us, so another connection would not help

  // Used only by the thread.
  const std::unique_ptr<os::Reactor> reactor_;
  giop::Connection protocol_;
  std::vector<ByteView> pieces_;
  Clock::time_point stalled_since_;  // when the system stopped taking octets
  bool repeats_ = false;             // the stream must be read from time to time, ready or not
  bool stalled_ = false;
  os::Urgency handing_on_ = 0;  // the urgency of the call whose handler may run now
  os::Interest waits_to_write_for_ = os::Interest::write;

  os::Thread thread_;
};

}  // namespace takt::client
