// The server's end of one connection: requests in, upcalls, replies out.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/decoder.h>
#include <takt/transport/stream.h>

#include "base/fair_turn.h"
#include "cdr/body_tail.h"
#include "giop/bidirectional.h"
#include "giop/known_contexts.h"
#include "server/channel/connection_ending.h"
#include "server/channel/oneway_pace.h"
#include "server/channel/reading_stop.h"
#include "server/intake/answer_path.h"
#include "server/intake/request_intake.h"
#include "server/output/graceful_close.h"
#include "server/output/write_buffer.h"
#include "server/server.h"

namespace takt::server {

// One thread at a time. Owns no thread. A strategy calls serve() when the stream is readable, or lets serve()
// block in reading. It is large because what few connections need stands beside what each request uses.
class ServerChannel final : private RequestIntake::Channel,
                            private cdr::Decoder::Source,
                            private ServerCall::ArrivingBody {
 public:
  enum class Progress : std::uint8_t {
    wants_read,   // everything that arrived has been served
    wants_write,  // the peer is slow to read a reply: when the handle is ready for waits_for(), call flush(),
                  // not serve()
    wants_turn,   // others wait for the thread (take_turns); call flush() next, even if the stream is not
                  // ready
    // After these the strategy must not serve the channel:
    closed,     // destroy the channel
    hand_over,  // both sides will make requests: stop watching it, call hand_over(), then destroy it
  };
  // A blocking channel may begin an upcall while the rest of a long request is still arriving. While it waits
  // for that rest, the stream's limit of silence is that for messages, and otherwise the one for idle
  // connections, which the strategy sets first. A reactive channel never waits for its peer.
  enum class Waiting : std::uint8_t { blocking, reactive };

  ServerChannel(std::unique_ptr<transport::Stream> stream, Waiting waiting, Server& server,
                const giop::Messaging& messaging = giop::Messaging::giop);
  ~ServerChannel();
  // Closes a connection that will not be served: gracefully, so that its client knows, and without waiting.
  static void refuse(std::unique_ptr<transport::Stream> stream, Server& server) {
    ServerChannel(std::move(stream), Waiting::reactive, server).close_orderly();
  }

  // Reads once, then runs an upcall for each complete request.
  Progress serve();
  // Lets serve() and flush() return wants_turn. `turn` must outlive the channel.
  void take_turns(FairTurn& turn) { turn_ = &turn; }
  // Allows serve() to return hand_over.
  void allow_hand_over() { may_hand_over_ = true; }
  void hand_over();
  // Continues writing a reply that the peer was slow to read, then serves requests that have waited behind
  // it.
  Progress flush();
  // Whether to call flush() next, rather than serve(), and the readiness of the stream's handle to wait for
  // before.
  bool is_writing() const { return out_.waiting(); }
  os::Interest waits_for() const { return out_.waits_for(); }
  // Sends CloseConnection after the replies that wait: requests without a reply were not served. Sends it
  // only if the peer reads those replies before `until`.
  void close_orderly(std::chrono::steady_clock::time_point until = {});
  // The same as a value for close_gracefully(). nullopt: the connection is over, perhaps with a begun request
  // that gets no reply.
  std::optional<GracefulClose> graceful_close();
  // Why the connection ended, as far as it is known here.
  ConnectionEnding ending() const { return ending_; }

  // Stops reading, except for the arguments of an upcall that has begun. Octets that have arrived are still
  // read. Any thread.
  void stop_reading() { reading_stop_.stop(*stream_); }
  // Ends the connection. Any thread.
  void cut() { stream_->shut_down(); }

  // Whether the peer waits for such an answer. Any thread.
  bool owes_answers() const {
    const LateSender* const late = seen_late_.load(std::memory_order_acquire);
    return late && late->is_due();
  }
  // Whether a message has begun to arrive and is not complete.
  bool mid_message() const { return intake_.protocol().mid_message() || stream_->message_begun(); }
  // Whether the time for the rest of a message, or for reading a reply, has passed. The time for a message
  // counts from the first call after it began.
  bool overdue(std::chrono::steady_clock::time_point now);
  // Releases blocks longer than `keep_bytes` that long messages needed, unless a message or reply is
  // incomplete.
  void give_back_memory(std::size_t keep_bytes);
  transport::Stream& stream() { return *stream_; }

  // Whether a request was served, or a reply taken, since the last call, or a request is being served now or
  // waits for a late answer. Nothing else that the peer sends counts. Any thread.
  bool take_activity() {
    Activity seen = Activity::served;
    return activity_.compare_exchange_strong(seen, Activity::none, std::memory_order_relaxed) ||
           seen == Activity::serving || owes_answers();
  }
  // While set, requests that expect a reply get TRANSIENT instead of being served.
  void refuse_requests(bool refuses) {
    refuses_requests_ = refuses;
    note_extra_work();
  }

 private:
  enum class Activity : std::uint8_t { none, serving, served };
  // Work that usual requests without contexts do not need. handles: the client has numbered names.
  enum class ExtraWork : std::uint8_t { none, handles, all };

  // Octets that have arrived, from the first event on.
  transport::IoResult read();
  transport::IoResult read_stamped();
  void begin_stamping();
  Progress serve_events();
  Progress serve_further(const giop::Event* event);
  Progress serve_rest(const giop::Event* event);
  std::optional<Progress> read_rest(unsigned& reads);
  Progress serve_held(Progress progress);
  bool continues_in_place();
  bool reads_on(unsigned& reads) const;
  bool serve_other(const giop::Event& event);

  // One request. False: the connection is over, or moves.
  bool serve_request(const giop::Event& event);
  bool serve_with_contexts(const giop::Event& event);
  bool serve_with_extra_work(const giop::Event& event);
  bool serve_on_terms(const giop::Event& event, const giop::KnownContexts& known, Verdict verdict);
  // How the servant's operation is found.
  enum class Demultiplexing : std::uint8_t { by_key, by_handle_if_any };
  template <Demultiplexing how = Demultiplexing::by_key>
  bool run_request(const giop::Event& event, Verdict verdict, std::int16_t priority,
                   const RequestTimes* times = nullptr);
  bool run_by_handle(const giop::Event& event, Verdict verdict);
  void begin_handles();
  bool run_early(ServerCall& call, Verdict verdict);
  bool answer(ServerCall& call);
  bool answers_late() const { return late_ != nullptr; }
  void mark_as(std::int16_t priority, const std::optional<giop::WireQuality>& quality);
  void note_extra_work() {
    extra_work_ = refuses_requests_ || intake_.marked() || batches_ ? ExtraWork::all : least_extra_work_;
  }
  Verdict unless_overloaded(const giop::Event& event, Verdict verdict) const;
  void give_way();
  bool await(std::chrono::steady_clock::time_point start);

  // Replies that leave together, for a peer that pipelines.
  void begin_batches();
  void note_first_of_read();
  bool precede_request(const giop::Event& event);
  bool serve_in_batch(const giop::Event& event);
  Progress end_batch(Progress progress);

  // A body that arrives during its upcall.
  bool begin_arriving(const giop::Event& event, ServerCall& call);
  bool begin_body();
  bool end_body(bool taken);
  bool skip_body();

  // Limits, and the end.
  void limit_silence();
  Progress after_unserved();
  Progress end(const char* why);
  Progress end_reading(const transport::IoResult& result);

  bool send_answer(GatherBuffer& reply) override { return out_.send(reply); }
  void compress_replies(giop::compression::Wanted wanted) override;
  bool take_offer(std::vector<giop::HostPort> points) override;
  void send_message_error() override;

  std::shared_ptr<LateSender> late_sender(Share share) override;
  std::string_view peer_address() const override { return intake_.peer().address; }
  void push_answer() override;

  bool read_exact(MutableBytes into) override;
  HeldOctets read_in_place(std::size_t count) override;
  cdr::Decoder::Source* read_to_end() override;

  std::unique_ptr<transport::Stream> stream_;
  Server& server_;
  const Waiting waiting_;
  RequestIntake intake_;
  WriteBuffer out_;
  cdr::BodyTail rest_;  // the missing octets of a body that is read to its end before it is decoded
  FairTurn* turn_ = nullptr;
  bool failed_ = false;
  bool over_ = false;               // the peer would not understand a further message, or it would be false
  std::size_t tried_in_place_ = 0;  // number of missing octets at the last attempt to continue in place
  bool stamps_arrivals_ = false;
  std::chrono::steady_clock::time_point arrived_at_{};  // when the last octets came, if stamped
  OnewayPace oneway_pace_;
  const bool probed_;           // the steps of requests are logged
  ExtraWork least_extra_work_;  // all: requests are probed, or the peer's identity is known
  // The same; also all while requests are refused, replies are marked, or replies may be held.
  ExtraWork extra_work_;
  bool batches_ = false;     // the peer pipelines, so replies may be held for later ones
  unsigned lone_reads_ = 0;  // number of successive reads with a single request, if batches_
  // The limit of silence is that for messages, or a message has begun to arrive. Only of a blocking channel.
  bool limits_message_ = false;
  bool awaits_rest_ = false;  // that limit is for a message that has begun to arrive
  bool waited_in_upcall_ = false;
  bool may_hand_over_ = false;
  std::vector<giop::HostPort> listen_points_;  // the peer's; not empty: hand over the connection
  ReadingStop reading_stop_;
  bool refuses_requests_ = false;
  std::shared_ptr<LateSender> late_;  // null: no upcall has left its answer to another thread
  std::atomic<const LateSender*> seen_late_{nullptr};
  std::atomic<Activity> activity_{Activity::served};
  ConnectionEnding ending_;
};

}  // namespace takt::server
