// The server's end of a connection whose requests are served by other threads than its reader.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/server/reply_buffer.h>
#include <takt/transport/stream.h>

#include "concurrency/connections/served_connection.h"
#include "giop/known_contexts.h"
#include "os/poll/interest.h"
#include "queued/queue_workers.h"
#include "queued/reply_packer.h"
#include "server/bidirectional_connections.h"
#include "server/intake/answer_path.h"
#include "server/intake/request_intake.h"
#include "server/output/write_buffer.h"
#include "server/server.h"
#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/shared_loan.h"

namespace takt::server {

// Requests go to a queue as they are read. So several requests of a connection may run at the same time, and
// be answered in another order (CORBA 3.0.3, 15.4.1 allows this). One thread reads. Any thread may answer,
// one at a time. It is large because the reader and the threads that answer share it.
class QueuedChannel final : public ServedConnection,
                            public std::enable_shared_from_this<QueuedChannel>,
                            public LateSender,
                            private RequestIntake::Channel {
 public:
  using Clock = std::chrono::steady_clock;
  // Limit of requests of a connection that are queued or being served. At the limit, reading pauses until one
  // is done.
  static constexpr std::uint32_t max_pending = 64;
  // Limits for a connection that also carries replies to us. It must be read on, so requests beyond the
  // limits are refused.
  static constexpr std::uint32_t max_pending_bidirectional = 512;
  static constexpr std::size_t max_pending_octets_bidirectional = 1024 * 1024;

  class Host {  // must outlive the channel's last request
   public:
    // Chooses the threads for a request. `timing`: the operation's timing in the schedule; null: none. Throws
    // a system exception to refuse the request.
    virtual QueueWorkers& choose(QueuedChannel& channel, const giop::Event& event,
                                 const giop::KnownContexts& contexts, const RequestTiming* timing) = 0;
    // Makes the reader watch the stream for reading, and own the reading side. False: the stream cannot be
    // watched.
    virtual bool begin(QueuedChannel& channel) = 0;
    // Makes the reader watch the stream for `interest`. Any thread.
    virtual void watch(QueuedChannel& channel, os::Interest interest) = 0;
    // Closes the channel and removes it; only threads that serve its requests still use it. Any thread.
    virtual void end(QueuedChannel& channel) = 0;
    // Makes the reader look at the channel again at `until`. False: it cannot.
    virtual bool delay(QueuedChannel& channel, Clock::time_point until) = 0;
    // Called by the reader while it takes requests of the channel: whether another connection waits for it.
    virtual bool others_wait(QueuedChannel& channel) = 0;
    // The loan to the reader.
    virtual os::SharedLoan& reader_loan() = 0;

   protected:
    ~Host() = default;
  };

  // `protocol`: may have either role, and may have begun elsewhere with these `formats`.
  QueuedChannel(std::unique_ptr<transport::Stream> stream, Server& server, Host& host,
                giop::Connection&& protocol, const RequestFormats* formats = nullptr);

  // Lets both sides make requests from now on; `ours` represents our requests. `chosen`: the code sets of the
  // peer's requests until it names others; null: those that are known. Call before any of our callers knows
  // the channel, in the reader's thread if it has one.
  void open_bidirectional(std::shared_ptr<OwnRequests> ours, const cdr::CodeSets* chosen = nullptr);
  // Takes the request at which another strategy handed over the connection, and the messages after it. Call
  // before the reader knows the channel. False: the connection is over.
  bool go_on_with_last_event();

  // If both sides make requests, in any thread that makes one:
  std::uint32_t next_request_id();
  enum class Sent : std::uint8_t { all, refused, failed, closed };
  // Sends the request, or keeps it until the peer reads. `refused`: too much is kept already for a peer that
  // does not read, and the request expects no response. `failed`: part of it may have been sent. If it throws
  // std::bad_alloc, nothing was sent.
  Sent send_request(GatherBuffer& request, bool response_expected);
  bool waits_for_reply();
  // Ignores further requests if both sides make requests. CloseConnection will tell the peer.
  void begin_no_more() { begins_no_more_ = true; }
  bool over() const { return over_.load(std::memory_order_relaxed); }
  os::SharedLoan& reader_loan() { return host_.reader_loan(); }

  // Called by the reader: reads and takes the messages that have arrived, then watches again. False: the
  // connection is over; drop the channel.
  bool on_ready(os::Interest ready) noexcept;
  // Ends sending and watching, and our own requests.
  void close();
  // Sends CloseConnection if this needs no waiting. Call while no request is pending.
  void say_closed();

  bool begin() override { return host_.begin(*this); }
  bool overdue(Clock::time_point now) override;
  void give_up() override;
  std::optional<GracefulClose> graceful_close() override;
  ConnectionEnding ending() const override { return ending_; }
  void abandon() override { close(); }

  // Called by a worker: runs the upcall and sends the answer. `reply` is scratch memory. `queue`: that of the
  // worker, which takes its next request there; null: another one.
  void serve(QueuedRequest& request, ReplyBuffer& reply, RequestQueue* queue = nullptr) noexcept;
  // Answers TRANSIENT to a request for which there is no room.
  void refuse(QueuedRequest& request) noexcept;

  // Late answers; end() has no effect, close() ends them.
  Begun begin(LateTicket& ticket) override;
  void send(const LateTicket& ticket, GatherBuffer* reply) noexcept override;
  void end() noexcept override {}

  transport::Stream& stream() override { return *stream_; }
  // The memory budget of the channel's requests.
  MemoryBudget& memory() { return intake_.protocol().memory(); }
  // Unique in this process.
  std::uint64_t number() const { return intake_.number(); }
  // The last time at which the stream was ready for the reader.
  Clock::time_point heard_at() const { return heard_at_; }
  // Number of requests that are queued or being served.
  std::uint32_t pending() const { return pending_.load(std::memory_order_relaxed); }

 private:
  bool go_on(os::Interest ready);
  bool take_events();
  bool turn_is_over();
  void end_round();
  bool may_wait_for_rest();
  // Notes why the connection is over; returns false.
  bool end(const ConnectionEnding& ending);
  bool take_request(const giop::Event& event);
  bool take_own_reply(const giop::Event& event);
  bool queue(const giop::Event& event, const giop::KnownContexts& known, const RequestTimes& times,
             QueueWorkers& workers, HeldTiming timing);
  void note_urgency(QueuedRequest& request, RequestUrgency* urgencies);
  void note_others(QueuedRequest& request, std::int16_t priority);
  void end_read();
  bool stop_reading_if_full();
  bool refuses_more();
  bool send_locked(GatherBuffer& message, bool may_hold = false) noexcept;
  bool send_or_hold(GatherBuffer* message, bool is_last) noexcept;
  void done_with(QueuedRequest& request, GatherBuffer* reply, RequestQueue* queue = nullptr) noexcept;
  // `lost_answer`: a late one that there was no memory for.
  enum class Done : std::uint8_t { request, request_with_others, early_reply, late_answer, lost_answer };
  bool count_done(Done done) noexcept;
  // `queue`: that of the calling thread, which has served `served`.
  void send_and_go_on(GatherBuffer* reply, Done done, RequestQueue* queue = nullptr,
                      QueuedRequest* served = nullptr) noexcept;
  void run_early(ServerCall& call, Verdict verdict, ReplyBuffer& reply);
  void note_refused_too_fast();
  bool delays_reads();
  bool delay_reads();
  void watch_what_is_due();
  void write_on_after_reading();
  void give_back_memory(Clock::time_point now);

  std::shared_ptr<LateSender> late_sender(Share) override;
  bool send_answer(GatherBuffer& reply) override;
  void compress_replies(giop::compression::Wanted wanted) override;
  bool take_offer(std::vector<giop::HostPort> points) override;
  void send_message_error() override;

  const std::unique_ptr<transport::Stream> stream_;
  Server& server_;
  Host& host_;
  // Used by the reader only:
  RequestIntake intake_;
  Clock::time_point heard_at_ = Clock::now();
  Clock::time_point looked_at_ = heard_at_;  // when others were last looked for, or the turn began
  ConnectionEnding ending_;
  bool read_brings_several_ = false;  // requests, in the last read
  bool leaves_turn_ = false;          // other connections are read before the rest of what has arrived
  bool batches_ = false;              // replies may be held
  unsigned lone_reads_ = 0;           // number of successive reads with a single request, if batches_
  bool write_failed_ = false;         // in write_on_after_reading()
  // Used by any thread:
  SenderCounts in_queues_;
  std::atomic<std::uint32_t> pending_together_{0};  // pending requests that came with others
  ReplyPacker packer_;
  std::atomic<std::uint32_t> pending_{0};
  std::atomic<Clock::time_point> served_at_{Clock::now()};  // time of the last request or reply
  std::atomic<std::size_t> pending_octets_{0};
  os::PriorityMutex mutex_;  // guards the next members
  WriteBuffer out_;
  bool paused_ = false;        // reading is paused
  Clock::time_point done_at_;  // time when a request was done and reading was to continue
  bool closed_ = false;
  Clock::time_point unread_until_{};  // set by workers when requests arrive too fast
  unsigned refused_too_fast_ = 0;     // number of such requests since the last delay
  // Our requests, if both sides make requests; null if only the peer does. Set by the reader, with the mutex.
  std::shared_ptr<OwnRequests> ours_;
  // The highest urgency of its requests so far, which is lent to the reader until the end.
  os::Urgency highest_urgency_ = 0;
  std::atomic<bool> begins_no_more_{false};
  std::atomic<bool> over_{false};
};

}  // namespace takt::server
