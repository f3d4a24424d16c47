// The server's end of one connection: requests in, upcalls, replies out.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/decoder.h>
#include <takt/transport/stream.h>

#include "giop/bidirectional.h"
#include "giop/known_contexts.h"
#include "os/threads/priority_mutex.h"
#include "server/graceful_close.h"
#include "server/request_intake.h"
#include "server/server.h"
#include "server/whole_tail.h"
#include "server/write_buffer.h"

namespace takt::server {

// One thread at a time. It owns no thread and never waits for requests by itself: a server strategy calls
// serve() when the stream has something, or lets it block there.
class ServerChannel final : private RequestIntake::Channel,
                            private cdr::Decoder::Source,
                            private ServerCall::ArrivingBody {
 public:
  enum class Progress : std::uint8_t {
    wants_read,   // all that arrived has been served
    wants_write,  // the peer is slow to take a reply: call flush() once waits_for() is so, serve() not before
    // From here on the strategy has done with it:
    closed,     // destroy the channel
    hand_over,  // both sides will make requests: forget the channel, then call hand_over(), and destroy it
  };
  // How the strategy waits. A blocking channel may run an upcall while the rest of a long request is
  // still arriving; a reactive one never waits for its peer.
  enum class Waiting : std::uint8_t { blocking, reactive };

  ServerChannel(std::unique_ptr<transport::Stream> stream, Waiting waiting, Server& server,
                const giop::Messaging& messaging = giop::Messaging::giop);
  ~ServerChannel();
  // For a connection that nobody will serve: in good order, so that its client knows, and without waiting.
  static void refuse(std::unique_ptr<transport::Stream> stream, Server& server) {
    ServerChannel(std::move(stream), Waiting::reactive, server).close_orderly();
  }

  // One read, then an upcall for each request that is complete.
  Progress serve();
  // serve() may give hand_over.
  void allow_hand_over() { may_hand_over_ = true; }
  void hand_over();
  // Goes on writing what the peer would not take.
  Progress flush();
  // Whether it is the turn of flush(), else of serve(); and what the stream's handle is to be ready for then.
  bool is_writing() const { return out_.waiting(); }
  os::Interest waits_for() const { return out_.waits_for(); }
  // Tells the peer that no further request will be served, and that those without reply were not; once it has
  // taken the replies that wait, and not at all if it does not until then.
  void close_orderly(std::chrono::steady_clock::time_point until = {});
  // To say so, and what is left of replies before. Nothing: the connection is over as it is, perhaps with a
  // request begun that gets no reply.
  std::optional<GracefulClose> graceful_close();

  // Any thread: nothing more is read, except what an upcall needs that has begun. The reader gets what had
  // arrived.
  void stop_reading();
  // Any thread: ends the connection.
  void cut() { stream_->shut_down(); }

  // An upcall has waited for octets, with the patience for messages; so the stream's must be set anew. Once.
  bool waited_in_upcall() { return waited_in_upcall_ && std::exchange(waited_in_upcall_, false); }
  // A message has begun to arrive and is not complete.
  bool mid_message() const { return intake_.protocol().mid_message(); }
  // Whether the peer has had its time, for the rest of a message or to take a reply. Time counts from when
  // this first sees what is begun.
  bool overdue(std::chrono::steady_clock::time_point now);
  // Gives back memory that long messages have left, unless one is on its way. Longer blocks than that go.
  void give_back_memory(std::size_t keep_bytes);
  transport::Stream& stream() { return *stream_; }

  // Whether a request was served, or a reply taken, since the last call, or a request is being served now.
  // Nothing else that the peer sends counts. Any thread.
  bool take_activity() {
    Activity seen = Activity::served;
    return activity_.compare_exchange_strong(seen, Activity::none, std::memory_order_relaxed) ||
           seen == Activity::serving;
  }
  // Requests that expect a reply get TRANSIENT instead of being served, as long as this is set.
  void refuse_requests(bool refuses) {
    refuses_requests_ = refuses;
    note_extra_work();
  }

 private:
  enum class Activity : std::uint8_t { none, serving, served };

  Progress serve_events();
  Progress serve_held(Progress progress);
  bool continues_in_place();
  Progress end();
  bool serve_request(const giop::Event& event);
  bool serve_with_contexts(const giop::Event& event);
  bool serve_with_extra_work(const giop::Event& event);
  bool serve_on_terms(const giop::Event& event, const giop::KnownContexts& known, Verdict verdict);
  bool serve_other(const giop::Event& event);
  bool run_request(const giop::Event& event, Verdict verdict, std::int16_t priority,
                   const RequestTimes* times = nullptr);
  bool begin_arriving(const giop::Event& event, ServerCall& call);
  bool answer(ServerCall& call);
  Progress after_unserved();
  void mark_as(std::int16_t priority, const std::optional<giop::WireQuality>& quality);
  void note_extra_work() { extra_work_ = always_extra_work_ || refuses_requests_ || intake_.marked(); }
  Verdict unless_overloaded(const giop::Event& event, Verdict verdict) const;
  void give_way();
  bool await(std::chrono::steady_clock::time_point start);
  transport::IoResult read_stamped();
  void begin_stamping();
  bool skip_body();
  bool begin_body();
  bool end_body(bool taken);

  bool send_answer(GatherBuffer& reply) override { return out_.send(reply); }
  void compress_replies(giop::compression::Wanted wanted) override;
  bool take_offer(std::vector<giop::Address> points) override;
  void send_message_error() override;

  bool read_exact(MutableBytes into) override;
  HeldOctets read_in_place(std::size_t count) override;
  cdr::Decoder::Source* read_to_end() override;

  std::unique_ptr<transport::Stream> stream_;
  Server& server_;
  const Waiting waiting_;
  RequestIntake intake_;
  WriteBuffer out_;
  WholeTail whole_tail_;
  bool failed_ = false;
  bool over_ = false;               // no further message would be understood, or true
  std::size_t tried_in_place_ = 0;  // with so many octets missing
  bool stamps_arrivals_ = false;
  std::chrono::steady_clock::time_point arrived_at_{};  // the last octets; unknown unless they are stamped
  std::chrono::steady_clock::time_point last_oneway_{}, gives_way_from_{};
  unsigned lone_oneways_ = 0;     // in a row, each read by itself
  const bool always_extra_work_;  // requests are probed, or servants can ask for the peer
  bool extra_work_;               // or requests are refused, or replies marked
  bool waited_in_upcall_ = false;
  bool may_hand_over_ = false;
  std::vector<giop::Address> listen_points_;  // of the peer; some: to be handed over
  bool unbegun_ = false;  // the last request was not served, and nothing is wrong with the connection
  os::PriorityMutex
      reading_mutex_;  // for what follows; taken for bodies that an upcall reads, not for others
  os::PriorityCondition stops_;
  bool in_body_ = false;
  bool stops_reading_ = false;
  bool refuses_requests_ = false;
  std::atomic<Activity> activity_{Activity::served};
};

}  // namespace takt::server
