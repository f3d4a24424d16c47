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
#include "giop/connection.h"
#include "giop/known_contexts.h"
#include "os/threads/priority_mutex.h"
#include "server/dispatcher.h"
#include "server/farewell.h"
#include "server/outbox.h"
#include "server/peer_connections.h"
#include "server/present_peer.h"
#include "server/reply_marking.h"
#include "server/request_formats.h"
#include "server/request_times.h"
#include "server/server.h"
#include "server/whole_tail.h"

namespace takt::server {

// One thread at a time. It owns no thread and never waits for requests by itself: a server strategy calls
// serve() when the stream has something, or lets it block there.
class ServerChannel final : private cdr::Decoder::Source, private ServerCall::ArrivingBody {
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
  bool is_writing() const { return outbox_.waiting(); }
  os::Interest waits_for() const { return outbox_.waits_for(); }
  // Tells the peer that no further request will be served, and that those without reply were not; once it has
  // taken the replies that wait, and not at all if it does not until then.
  void close_orderly(std::chrono::steady_clock::time_point until = {});
  // To say so, and what is left of replies before. Nothing: the connection is over as it is, perhaps with a
  // request begun that gets no reply.
  std::optional<Parting> parting();

  // Any thread: nothing more is read, except what an upcall needs that has begun. The reader gets what had
  // arrived.
  void stop_reading();
  // Any thread: ends the connection.
  void cut() { stream_->shut_down(); }

  // An upcall has waited for octets, with the patience for messages; so the stream's must be set anew. Once.
  bool waited_in_upcall() { return waited_in_upcall_ && std::exchange(waited_in_upcall_, false); }
  // A message has begun to arrive and is not complete.
  bool mid_message() const { return protocol_.mid_message(); }
  // Whether the peer has had its time, for the rest of a message or to take a reply. Time counts from when
  // this first sees what is begun.
  bool overdue(std::chrono::steady_clock::time_point now);
  // Gives back memory that long messages have left, unless one is on its way. Longer blocks than that go.
  void give_back_memory(std::size_t keep_bytes);
  transport::Stream& stream() { return *stream_; }
  // The connection's place in its server's count of them, until the channel goes.
  void keep(PeerConnections::Place place) { place_ = std::move(place); }

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
    unusual_ = always_unusual_ || refuses || marking_.any();
  }

 private:
  enum class Activity : std::uint8_t { none, serving, served };
  // Why a request is not dispatched: its code sets are not read here, it is too late or too early, or too
  // many wait.
  enum class Admission : std::uint8_t { granted, unreadable, late, early, overload };

  Progress serve_events();
  Progress serve_held(Progress progress);
  bool continues_in_place();
  Progress end();
  bool serve_request(const giop::Event& event);
  bool serve_with_contexts(const giop::Event& event);
  bool serve_checked(const giop::Event& event);
  bool note_contexts(const giop::Event& event, const giop::KnownContexts& known);
  void mark_as(std::int16_t priority, const std::optional<giop::WireQuality>& quality);
  bool refuse_for_memory(const giop::Event& event);
  bool serve_other(const giop::Event& event);
  bool accept_offer(const giop::Event& event, ByteView context);
  Progress after_unserved();
  void give_way();
  Admission admit(const giop::Event& event, bool readable, bool in_time) const;
  void refuse(ServerCall& call, Admission why);
  bool serve_timed(const giop::Event& event, const giop::KnownContexts& known, bool readable);
  bool await(std::chrono::steady_clock::time_point start);
  bool run_request(const giop::Event& event, Admission admission, std::int16_t priority,
                   const RequestTimes* times = nullptr);
  bool begin_arriving(const giop::Event& event, ServerCall& call);
  bool answer(ServerCall& call);
  transport::IoResult read_stamped();
  bool skip_body();
  bool begin_body();
  bool end_body(bool taken);
  void send_message_error();

  bool read_exact(MutableBytes into) override;
  HeldOctets read_in_place(std::size_t count) override;
  cdr::Decoder::Source* read_to_end() override;

  std::unique_ptr<transport::Stream> stream_;
  Server& server_;
  const Waiting waiting_;
  giop::Connection protocol_;
  RequestFormats formats_;
  GatherBuffer reply_;
  Outbox outbox_;
  WholeTail whole_tail_;
  bool failed_ = false;
  bool over_ = false;               // no further message would be understood, or true
  std::size_t tried_in_place_ = 0;  // with so many octets missing
  bool stamps_arrivals_ = false;
  std::chrono::steady_clock::time_point arrived_at_{};  // the last octets; unknown unless they are stamped
  std::chrono::steady_clock::time_point last_oneway_{}, gives_way_from_{};
  unsigned lone_oneways_ = 0;  // in a row, each read by itself
  const Peer peer_;
  const std::uint64_t number_;
  const bool always_unusual_;  // probed, or with a peer that servants can ask for
  const bool marks_replies_;
  ReplyMarking marking_;
  bool unusual_;  // or requests are refused
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
  PeerConnections::Place place_;
};

}  // namespace takt::server
