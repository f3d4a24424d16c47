// The server's end of one connection whose requests other threads serve.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/transport/stream.h>

#include "giop/known_contexts.h"
#include "os/poll/interest.h"
#include "os/threads/priority_mutex.h"
#include "server/both_ways.h"
#include "server/queued/queue_workers.h"
#include "server/queued/reply_packer.h"
#include "server/request_intake.h"
#include "server/served_connection.h"
#include "server/server.h"
#include "server/write_buffer.h"

namespace takt::server {

// Requests go to a queue as they are read, so several of one connection may be served at once, and be
// answered in another order than they came (CORBA 3.0.3, 15.4.1 leaves that open). One thread reads; any
// thread answers, one after the other.
class QueuedChannel final : public ServedConnection,
                            public std::enable_shared_from_this<QueuedChannel>,
                            private RequestIntake::Channel {
 public:
  using Clock = std::chrono::steady_clock;
  // So many of one connection are queued or being served at most; then it is not read until one is done.
  static constexpr std::uint32_t max_pending = 64;
  // One that carries replies to us is read on all the same; beyond these, its requests are refused.
  static constexpr std::uint32_t max_pending_both_ways = 512;
  static constexpr std::size_t max_pending_octets_both_ways = 1024 * 1024;

  class Host {  // outlives the channel's last request
   public:
    // Whose threads are to serve it. `timing`: what is known of its operation; null: nothing. Throws system
    // exceptions, to refuse it.
    virtual QueueWorkers& choose(QueuedChannel& channel, const giop::Event& event,
                                 const giop::KnownContexts& contexts, const RequestTiming* timing) = 0;
    // The reader has it from now on, and is told when the stream can be read. False: it cannot be watched.
    virtual bool begin(QueuedChannel& channel) = 0;
    // Tells the reader when the stream can be read or written. Any thread.
    virtual void watch(QueuedChannel& channel, os::Interest interest) = 0;
    // The channel is over: nobody has it but threads that serve its requests. Any thread.
    virtual void end(QueuedChannel& channel) = 0;
    // The reader looks at it again then; false: it cannot.
    virtual bool delay(QueuedChannel& channel, Clock::time_point until) = 0;

   protected:
    ~Host() = default;
  };

  // `protocol`: of either role; it may have begun elsewhere, with these formats.
  QueuedChannel(std::unique_ptr<transport::Stream> stream, Server& server, Host& host,
                giop::Connection&& protocol, const RequestFormats* formats = nullptr);

  // Before any caller of ours knows it: both sides make requests from now on, of ours those. The reader's,
  // once there is one.
  void open_both_ways(std::shared_ptr<OwnRequests> ours);
  // Before the reader knows it: the request at which another strategy gave the connection up, and what came
  // behind it. False: over.
  bool go_on_with_last_event();

  // Where both sides make requests, in any thread that has one:
  std::uint32_t next_request_id();
  enum class Sent : std::uint8_t { all, refused, failed, closed };
  // Sends the request, or keeps it until the peer takes it. `refused`: it does not, and nobody waits for
  // that, since no response is expected. `failed`: some of it may have left. Throws std::bad_alloc before any
  // has.
  Sent send_request(GatherBuffer& request, bool response_expected);
  bool waits_for_reply();
  // Further requests are passed over where both sides make them; CloseConnection will say so.
  void begin_no_more() { begins_no_more_ = true; }
  bool over() const { return over_.load(std::memory_order_relaxed); }

  // The reader's: takes what has come, and asks to be called again. False: over; drop the channel.
  bool on_ready(os::Interest ready) noexcept;
  // Nothing is sent after this, and nobody is asked to watch.
  void close();
  // CloseConnection, if that needs no waiting; while nothing is pending.
  void say_closed();

  bool begin() override { return host_.begin(*this); }
  bool overdue(Clock::time_point now) override;
  void give_up() override;
  std::optional<GracefulClose> graceful_close() override;
  void abandon() override { close(); }

  // A worker's: runs the upcall and sends the answer. `reply` is scratch.
  void serve(QueuedRequest& request, GatherBuffer& reply) noexcept;
  // There is no room for it: TRANSIENT.
  void refuse(QueuedRequest& request);

  transport::Stream& stream() override { return *stream_; }
  // What its requests are counted against.
  MemoryBudget& memory() { return intake_.protocol().memory(); }
  // Unique in this process.
  std::uint64_t number() const { return intake_.number(); }
  // When the reader last had something of the peer's.
  Clock::time_point heard_at() const { return heard_at_; }
  // Queued or being served.
  std::uint32_t pending() const { return pending_.load(std::memory_order_relaxed); }

 private:
  bool go_on(os::Interest ready);
  bool take_events();
  bool take_request(const giop::Event& event);
  bool take_own_reply(const giop::Event& event);
  bool queue(const giop::Event& event, const giop::KnownContexts& known, const RequestTimes& times,
             QueueWorkers& workers, HeldTiming timing);
  bool stop_reading_if_full();
  bool refuses_more();
  bool send(GatherBuffer& message) noexcept;
  void done_with(QueuedRequest& request, GatherBuffer* reply) noexcept;
  void note_refused_too_fast();
  bool delays_reads();
  bool delay_reads();
  void watch_what_is_due();
  void write_on_after_reading();
  void give_back_memory(Clock::time_point now);

  bool send_answer(GatherBuffer& reply) override;
  void compress_replies(giop::compression::Wanted wanted) override;
  bool take_offer(std::vector<giop::Address> points) override;
  void send_message_error() override;

  const std::unique_ptr<transport::Stream> stream_;
  Server& server_;
  Host& host_;
  // The reader's:
  RequestIntake intake_;
  Clock::time_point heard_at_ = Clock::now();
  // Everybody's:
  ReplyPacker packer_;
  std::atomic<std::uint32_t> pending_{0};
  std::atomic<Clock::time_point> served_at_{Clock::now()};  // a request, or its reply
  std::atomic<std::size_t> pending_octets_{0};
  os::PriorityMutex mutex_;  // for what follows
  WriteBuffer out_;
  bool paused_ = false;        // not read
  Clock::time_point done_at_;  // with a request, when it was to be read on
  bool closed_ = false;
  Clock::time_point unread_until_{};  // a worker has refused what came too fast
  unsigned refused_too_fast_ = 0;     // since the last delay
  // Where both sides make requests. Set by the reader, with the mutex; null where only the peer makes them.
  std::shared_ptr<OwnRequests> ours_;
  std::atomic<bool> begins_no_more_{false};
  std::atomic<bool> over_{false};
};

}  // namespace takt::server
