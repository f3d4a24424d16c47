// Decides for each event of a connection whether it is dispatched, refused or answered without an upcall.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/transport/stream.h>

#include "giop/bidirectional.h"
#include "giop/connection.h"
#include "giop/known_contexts.h"
#include "server/intake/answer_path.h"
#include "server/intake/own_answers.h"
#include "server/intake/reply_marking.h"
#include "server/pipeline/dispatcher.h"
#include "server/request/present_peer.h"
#include "server/request/received_request.h"
#include "server/request/request_times.h"
#include "server/request/verdict.h"
#include "server/server.h"

namespace takt::server {

// Runs the upcall, or answers with the reason why it does not run. `times`: null if the request has none.
[[gnu::always_inline]] inline void dispatch(ServerCall& call, Verdict verdict, const RequestTimes* times,
                                            Server& server) {
  if (verdict != Verdict::granted) [[unlikely]]
    return refuse(call, verdict, server);
  server.dispatcher.load(std::memory_order_relaxed)->dispatch(call);
  if (times) [[unlikely]]
    refuse_late_reply(call, *times);
}

// The same for a request with an early reply.
[[gnu::cold]] inline void dispatch_early(ServerCall& call, Verdict verdict, EarlyReply& early,
                                         Server& server) {
  if (verdict != Verdict::granted) return refuse(call, verdict, server);
  server.dispatcher.load()->dispatch_early(call, early);
}

// The reading side of one connection, of either role. All requests pass it, whichever thread serves them. It
// reads their service contexts, and remembers what these state about the connection. It decides whether a
// request may be dispatched, and answers messages that need no upcall. Only the reading thread uses it, but
// any thread may call const functions.
class RequestIntake {
 public:
  using Clock = std::chrono::steady_clock;

  // The operations in which channels differ.
  class Channel : public AnswerPath {
   public:
    // Sends an answer that needed no upcall. False: the connection is over.
    virtual bool send_answer(GatherBuffer& reply) = 0;
    // Compresses replies from now on, because the peer accepts it; `wanted` are its wishes.
    virtual void compress_replies(giop::compression::Wanted wanted) = 0;
    // Accepts the peer's offer to call objects at `points` over this connection. True: the connection moves
    // to other threads, and the request that made the offer is served there.
    virtual bool take_offer(std::vector<giop::HostPort> points) = 0;
    // Sends MessageError: the peer has violated GIOP.
    virtual void send_message_error() = 0;

   protected:
    ~Channel() = default;
  };

  // Channel, stream and server must outlive it. `formats`: formats of a connection that has begun elsewhere;
  // null for a new one. They are copied.
  RequestIntake(Channel& channel, transport::Stream& stream, Server& server, giop::Connection&& protocol,
                const RequestFormats* formats = nullptr);

  giop::Connection& protocol() { return protocol_; }
  const giop::Connection& protocol() const { return protocol_; }
  RequestFormats& formats() { return formats_; }
  const Peer& peer() const { return peer_; }
  // Unique in this process.
  std::uint64_t number() const { return number_; }
  // Scratch buffer for answers by the reading thread.
  ReplyBuffer& reply() { return reply_; }

  // Remembers what the contexts state about this connection: GIOPlite numbers, compression, code sets, and an
  // offer of call-backs. Returns the verdict that follows from them or from a lack of memory. May allocate.
  Verdict note(const giop::Event& event, const giop::KnownContexts& known);
  // The same for a request without contexts about the connection.
  Verdict note_none(giop::Version version) {
    return formats_.note_code_sets({}, version) ? Verdict::granted : Verdict::code_sets;
  }
  // Whether a request with these times may be served or wait for its start: granted, too_late or too_early.
  Verdict judge(const RequestTimes& times) const;

  // Whether this server marks replies like their requests.
  bool marks() const { return marks_; }
  void mark(std::int16_t priority, const std::optional<giop::WireQuality>& quality) {
    marking_.follow(peer_.stream, server_.connections, priority, quality);
  }
  bool marked() const { return marking_.any(); }

  // Answers with an exception instead of an upcall, if a response is expected. False: the connection is over.
  bool refuse(const giop::Event& event, Verdict why);
  bool refuse(const giop::Event& event, const CORBA::SystemException& why);
  // Sends the reply before the upcall, as a confirmation that the server has the request. False: the
  // connection is over.
  bool acknowledge(const giop::Event& event);
  // Asks the client to name its target by the object key, because the event's key is unknown. False: the
  // connection is over.
  bool ask_for_key(const giop::Event& event);
  // Handles an event other than a request that can be served. False: the connection is over.
  bool take_other(const giop::Event& event);

  // Whether the time for the rest of a message has passed.
  bool message_overdue(Clock::time_point now) {
    const auto deadline = protocol_.next_deadline(now);
    const auto begun = peer_.stream.message_begun();
    return (deadline && *deadline <= now) ||
           (begun && now - *begun > server_.protocol.limits->message_time.get());
  }
  // Releases memory that was used for long messages. Must not be called while a message is incomplete.
  void give_back_memory(std::size_t keep_bytes) {
    protocol_.trim(keep_bytes);
    reply_.clear(keep_bytes);
  }

 private:
  template <class Answer>
  bool answer_at_once(const giop::Event& event, Answer answer);
  bool is_moved_by(const giop::Event& event, ByteView offer);

  Channel& channel_;
  Server& server_;
  giop::Connection protocol_;
  RequestFormats formats_;
  ReplyBuffer reply_;
  const Peer peer_;
  const std::uint64_t number_;
  const bool marks_;
  ReplyMarking marking_;
};

}  // namespace takt::server
