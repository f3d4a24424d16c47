// From an event of the protocol to a request that can be dispatched, or to a refusal.
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
#include "server/present_peer.h"
#include "server/received_request.h"
#include "server/reply_marking.h"
#include "server/request_formats.h"
#include "server/server.h"
#include "server/verdict.h"

namespace takt::server {

// The reading side of one connection, of either role: what all requests of it go through, whichever thread
// serves them. It reads their service contexts and remembers what these say of the connection, judges whether
// a request may be dispatched, and answers by itself what needs no upcall. The thread that reads uses it;
// any thread may ask for what is const.
class RequestIntake {
 public:
  using Clock = std::chrono::steady_clock;

  // In what the ways to serve a connection differ.
  class Channel {
   public:
    // Sends an answer that needed no upcall. False: the connection is over.
    virtual bool send_answer(GatherBuffer& reply) = 0;
    // The peer takes compressed messages, and wants them so.
    virtual void compress_replies(giop::compression::Wanted wanted) = 0;
    // The peer's objects are at these places, and an offer to call them over this connection counts. True:
    // the connection moves to other threads, and the request that made the offer is served there.
    virtual bool take_offer(std::vector<giop::Address> points) = 0;
    // Tells the peer that it does not speak GIOP as it should.
    virtual void send_message_error() = 0;

   protected:
    ~Channel() = default;
  };

  // All of them outlive it. `formats`: of a connection that has begun elsewhere.
  RequestIntake(Channel& channel, transport::Stream& stream, Server& server, giop::Connection&& protocol,
                const RequestFormats* formats = nullptr);

  giop::Connection& protocol() { return protocol_; }
  const giop::Connection& protocol() const { return protocol_; }
  RequestFormats& formats() { return formats_; }
  const Peer& peer() const { return peer_; }
  // Unique in this process.
  std::uint64_t number() const { return number_; }
  // Scratch for the answers of the thread that reads.
  GatherBuffer& reply() { return reply_; }

  // Remembers what the contexts say of this connection: numbers, compression, code sets, an offer of
  // call-backs. Gives what they, or the want of memory, say of the request. May allocate.
  Verdict note(const giop::Event& event, const giop::KnownContexts& known);
  // The same for a request that has no contexts which say anything of the connection.
  Verdict note_none(giop::Version version) {
    return formats_.note_code_sets({}, version) ? Verdict::granted : Verdict::code_sets;
  }
  // Whether a request of such times may wait for its start: granted, too_late or too_early.
  Verdict judge(const RequestTimes& times) const;

  // Replies are marked as the requests are: false: never.
  bool marks() const { return marks_; }
  void mark(std::int16_t priority, const std::optional<giop::WireQuality>& quality) {
    marking_.follow(peer_.stream, server_.connections, priority, quality);
  }
  bool marked() const { return marking_.any(); }

  // Answers without an upcall, if a response is expected. False: the connection is over.
  bool refuse(const giop::Event& event, Verdict why);
  bool refuse(const giop::Event& event, const CORBA::SystemException& why);
  // Says that the server has the request, before the upcall.
  bool acknowledge(const giop::Event& event);
  // The event's key is unknown: asks the client to name its target by the key.
  bool ask_for_key(const giop::Event& event);
  // Acts on what is no request that can be served. False: the connection is over.
  bool take_other(const giop::Event& event);

  // The peer has had its time for the rest of a message.
  bool message_overdue(Clock::time_point now) {
    const auto deadline = protocol_.next_deadline(now);
    return deadline && *deadline <= now;
  }
  // Gives back what long messages have left. Not while one is on its way.
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
  GatherBuffer reply_;
  const Peer peer_;
  const std::uint64_t number_;
  const bool marks_;
  ReplyMarking marking_;
};

}  // namespace takt::server
