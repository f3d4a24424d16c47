// The channel of a calling thread to one server: encodes requests and waits for replies.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/base/octet_buffer.h>
#include <takt/cdr/decoder.h>

#include "giop/connection.h"
#include "giop/lite/client_names.h"

namespace takt::client {

// The result of one exchange.
struct Exchange {
  enum class Status : std::uint8_t {
    reply,        // reply() is the Reply
    sent,         // a oneway was sent
    retry,        // orderly close by the server before execution: reissue elsewhere
    failed,       // see the error fields
    refused,      // not sent: too many outstanding requests, or no room to send
    timeout,      // deadline or timeout passed; see `sent_in_part`
    oneway_only,  // not sent: expects a response, which the target never gives
    no_memory,    // for the request or the reply; see `sent_in_part`
  };
  Status status = Status::failed;
  bool sent_in_part = false;  // part of the request was sent, so the server may have executed it
  int error = 0;              // errno, or 0
  const char* phase = "";     // "send", "wait", "reply"
  const char* reason = "";    // static text: the cause
};

// Limit of reads after a connection has ended: the rest may arrive in pieces, or behind the last reply.
inline constexpr int max_reads_of_an_ending = 64;

// A request to be sent on a shared connection.
struct Outgoing {
  const GatherBuffer& request;  // complete
  std::uint32_t request_id;
  bool response_expected;
  bool at_once;  // for oneways: do not wait until the system has accepted it, if that takes time
  std::chrono::nanoseconds timeout;  // none if 0 or negative
  bool ends_with_timeout = false;    // the call has a deadline; else a peer that goes on taking or sending
                                     // octets has more time
};

struct Waiter;

// Sends requests whose replies no thread waits for. Used by the thread whose channel it is.
class Poster {
 public:
  // Sends the channel's out(). The waiter's `ended` is called later, exactly once, by any thread. Returns the
  // failure if it was not sent; `ended` is not called then. `room_by`: waits until then for room on the
  // connection, if other requests take it; the past: refuses at once.
  virtual std::optional<Exchange> post(std::uint32_t request_id, Waiter& waiter,
                                       std::chrono::steady_clock::time_point room_by) = 0;
  // Whether posted calls with this timeout end at their Waiter::late_at, an eighth later at most.
  virtual bool ends_late(std::chrono::nanoseconds timeout) const = 0;

 protected:
  ~Poster() = default;
};

// Sends several requests together, to a server that serves the requests of a connection one after the other.
// Used by the thread whose channel it is, between its take() and done().
class BatchChannel {
 public:
  virtual std::uint32_t next_request_id() = 0;
  // The longest message that can be sent in this way.
  virtual std::size_t most_bytes() const = 0;
  // Sends whole requests. False: failure() says why.
  virtual bool send_all(const GatherBuffer& requests, std::chrono::nanoseconds timeout) = 0;
  // Waits for the reply with that id: for `time` where it must wait; 0 means no limit, and
  // ClientChannel::until_deadline the deadline of end_by(). Replies to requests before it are skipped. The
  // reply is valid until the next call. Null: failure() says why, and no further reply will come.
  virtual const giop::Event* receive(std::uint32_t request_id, std::chrono::nanoseconds time) = 0;
  virtual const Exchange& failure() const = 0;
  // The caller will not read the replies that are missing, so that the connection must not be used again.
  virtual void give_up() = 0;

 protected:
  ~BatchChannel() = default;
};

// Used by one thread at a time. take() begins a call and done() ends it: take(), encode into out(),
// exchange(), decode, done(). It is large because what few connections can do has a function with a default.
class ClientChannel {
 public:
  virtual ~ClientChannel() = default;

  // The buffer for encoding the request. Cleared by take().
  GatherBuffer& out() { return out_; }
  // Marks the channel as in use: a nested call made while decoding results must not use it.
  void take() {
    busy_ = true;
    out_.clear();
  }
  // Keeps objects alive that a call in progress uses after its thread has been rebound.
  void pin(std::shared_ptr<const void> used) {
    pinned_.push_back(std::move(used));
    needs_cleanup_ |= untidy;
  }
  // Deadline for the next exchange and for decoding its result, regardless of its timeout; until done().
  void end_by(std::chrono::steady_clock::time_point deadline) {
    deadline_ = deadline;
    needs_cleanup_ |= untidy;
  }
  // Makes the next exchange return `refused` if there is no room to send, instead of waiting; until done().
  // Channels that share a connection and write to it directly still wait.
  void send_at_once() {
    at_once_ = true;
    needs_cleanup_ |= untidy;
  }
  // Whether the call leaves something for done() to reset, or is intercepted.
  bool needs_cleanup() const { return needs_cleanup_ != 0; }
  // Whether the caller looks at the reply before it reads the results: after offer(), or for interceptors.
  bool notes_reply() const { return (needs_cleanup_ & noted) != 0; }
  // Makes needs_cleanup() true until end_interception() or done(), and notes_reply() if interceptors want
  // that.
  void begin_interception(bool notes_reply) {
    needs_cleanup_ |= notes_reply ? intercepted | noted : intercepted;
  }
  void end_interception() { needs_cleanup_ &= static_cast<std::uint8_t>(~(intercepted | noted)); }
  bool busy() const { return busy_; }
  bool broken() const { return broken_; }
  // The server has received the contexts of the connection's first request.
  bool contexts_sent() const { return contexts_sent_; }
  void set_contexts_sent() { contexts_sent_ = true; }
  // The compression offer for that first request; may be empty.
  ByteView compression_offer() const { return compression_offer_.octets(); }

  virtual std::uint32_t next_request_id() = 0;
  // Special timeout: use the deadline of end_by().
  static constexpr std::chrono::nanoseconds until_deadline{-2};
  // Sends out() and waits for the reply with that id if one is expected, as long as the peer is not silent
  // for longer than `timeout`.
  virtual Exchange::Status exchange(std::uint32_t request_id, bool response_expected,
                                    std::chrono::nanoseconds timeout) = 0;
  // Call after a timeout with sent_in_part, if the server takes_cancels: tells it not to start the request
  // (CORBA 3.0.3, 15.4.4). Never waits, so it may send nothing. Until done().
  virtual void cancel(std::uint32_t) {}
  // The result of the last exchange, if it was not a reply.
  const Exchange& ending() const { return ending_; }
  // The Reply of the last exchange. Its views are valid until done().
  const giop::Event& reply() const { return *reply_; }
  // GIOPlite names of the connection, valid as long as the channel; null if it uses GIOP only.
  giop::lite::ClientNames* names() const { return names_; }
  // The next request offers a number for `name`; until done().
  void offer(giop::lite::ClientNames::Name& name) {
    offered_ = &name;
    needs_cleanup_ |= untidy | noted;
  }
  bool offers() const { return offered_ != nullptr; }
  // Call when the offering request has a reply, or was sent and will have none.
  void settle_offer(bool replied) {
    if (replied)
      names_->answered(*offered_, reply_->short_head);
    else
      names_->sent(*offered_);
    offered_ = nullptr;
  }
  // Context for bidirectional GIOP that the next request must carry, once; usually empty.
  virtual ByteView context_to_offer() { return {}; }
  // Whether the connection is over, even if no call has noticed that yet.
  virtual bool gone() const { return broken_; }
  // The same for a channel that is not in use, for which it may ask the system.
  virtual bool ended() { return gone(); }
  // Whether a local road may replace the connection (StreamCapabilities::replaceable_by_road), and all that
  // this thread has sent by it was answered, so that the next request may overtake nothing by another
  // connection. For a channel that is not in use.
  virtual bool may_leave_tcp() const { return false; }
  // Identity of the connection or pool of connections, equal for all channels on it. For comparisons only.
  virtual const void* connection_identity() const { return this; }
  // Sends requests whose replies no thread waits for; null if the connection cannot.
  virtual Poster* poster() { return nullptr; }
  // Sends several requests together, after next_request_id(); null if the connection cannot.
  virtual BatchChannel* batch_channel() { return nullptr; }
  // The source for the rest of a partly received reply body; may be null.
  virtual cdr::Decoder::Source* body_source() = 0;
  // Whether that source has ended because the rest did not arrive in time. Until done().
  virtual bool body_was_late() const { return false; }
  // Call when exchange() has thrown: the state of the connection is unknown.
  void fail_for_memory() noexcept {
    broken_ = true;
    ending_ = {.status = Exchange::Status::no_memory,
               .sent_in_part = true,
               .phase = "send, or wait for the reply",
               .reason = "there is no memory for it"};
  }
  // Ends the call; its reply is invalid from now on.
  void done() {
    busy_ = false;
    if (needs_cleanup_ != 0) [[unlikely]]
      tidy();
  }
  // Makes callers look for octets of replies that are left unread. From now on.
  void watch_octets_left() {
    watches_octets_left_ = true;
    needs_cleanup_ |= untidy;
  }
  bool watches_octets_left() const { return watches_octets_left_; }
  // Lends memory that the stream sends without copying (Stream::borrow); usually empty.
  virtual OctetBuffer borrow(std::size_t) { return {}; }
  // "tcp 127.0.0.1:40000 -> 127.0.0.1:2809", for messages.
  virtual std::string describe() const = 0;
  // The peer's address, like PeerIdentity::peer_address(). Valid as long as the channel. Allocates the first
  // time.
  std::string_view peer() {
    if (!peer_) [[unlikely]]
      peer_ = peer_address();
    return *peer_;
  }

 protected:
  // Clean-up that some calls need. Overriders must call it.
  virtual void tidy();

  // For peer().
  virtual std::string peer_address() const = 0;

  static constexpr auto never = std::chrono::steady_clock::time_point::max();

  GatherBuffer out_;
  const giop::Event* reply_ = nullptr;
  Exchange ending_;
  giop::lite::ClientNames* names_ = nullptr;  // null: GIOP only
  giop::lite::ClientNames::Name* offered_ = nullptr;
  std::vector<std::shared_ptr<const void>> pinned_;
  std::chrono::steady_clock::time_point deadline_ = never;
  bool at_once_ = false;
  bool busy_ = false;
  bool broken_ = false;
  // Bits: tidy() has something to reset, interceptors watch the call, and the reply is looked at before it is
  // read.
  static constexpr std::uint8_t untidy = 1, intercepted = 2, noted = 4;
  std::uint8_t needs_cleanup_ = 0;  // a set of these bits; not 0: done() must call tidy()
  bool watches_octets_left_ = false;
  bool contexts_sent_ = false;
  giop::compression::OfferData compression_offer_;
  std::optional<std::string> peer_;
};

}  // namespace takt::client
