// A calling thread's way to one server: where it encodes requests and waits for replies.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/base/octet_buffer.h>
#include <takt/cdr/decoder.h>

#include "giop/connection.h"
#include "giop/lite/client_names.h"

namespace takt::client {

// How one exchange ended.
struct Exchange {
  enum class Status : std::uint8_t {
    reply,        // event() is the Reply
    sent,         // a oneway has left
    retry,        // the server closed in good order before it began: reissue elsewhere
    failed,       // see the failure
    refused,      // not sent: as many requests have no reply yet as may
    timeout,      // the time is over; see `sent_in_part`
    oneway_only,  // not sent: it expects a response, and nobody would give one
    no_memory,    // for the request, or for the reply; see `sent_in_part`
  };
  Status status = Status::failed;
  bool sent_in_part = false;  // some of the request has left, so the server may have run it
  int error = 0;              // errno, or 0
  const char* phase = "";     // "send", "wait", "reply"
  const char* reason = "";    // static text: what the peer did
};

// What has arrived when a connection ends may come in pieces, or have come behind the last reply.
inline constexpr int max_reads_of_an_ending = 64;

// One request on a connection that threads share.
struct Outgoing {
  const GatherBuffer& request;  // whole
  std::uint32_t request_id;
  bool response_expected;
  bool at_once;  // without an answer: does not wait until the system has it, where that would take time
  std::chrono::nanoseconds timeout;  // none where it is not more than 0
};

// One thread at a time, which take()s it for one call and gives it back with done(). A call takes place
// as: encode into out(), exchange(), decode, done().
class ClientChannel {
 public:
  virtual ~ClientChannel() = default;

  // Where the request is encoded; cleared by take().
  GatherBuffer& out() { return out_; }
  // Marks the channel as in use, which a call made while results are being decoded must respect.
  void take() {
    busy_ = true;
    out_.clear();
  }
  // Keeps alive what a call in progress uses, although its thread remembers something else by now.
  void pin(std::shared_ptr<const void> used) {
    pinned_.push_back(std::move(used));
    untidy_ = true;
  }
  // The next exchange, and decoding what it brings, end by then, whatever its timeout; until done().
  void end_by(std::chrono::steady_clock::time_point deadline) {
    deadline_ = deadline;
    untidy_ = true;
  }
  // The next exchange does not wait for room to send; where there is none it is `refused`. Until done().
  // Channels of threads that share a connection and write to it by themselves wait all the same.
  void send_at_once() {
    at_once_ = true;
    untidy_ = true;
  }
  bool busy() const { return busy_; }
  bool broken() const { return broken_; }
  // The server knows what the first request on a connection says of it.
  bool introduced() const { return introduced_; }
  void set_introduced() { introduced_ = true; }
  // Which compressed replies are understood, for that request to say; empty: none.
  ByteView compression_offer() const { return compression_offer_.octets(); }

  virtual std::uint32_t next_request_id() = 0;
  // A timeout that means end_by().
  static constexpr std::chrono::nanoseconds until_deadline{-2};
  // Sends out() and waits for the reply with that id, if one is expected, at most `timeout` for silence.
  virtual Exchange::Status exchange(std::uint32_t request_id, bool response_expected,
                                    std::chrono::nanoseconds timeout) = 0;
  // After an exchange that timed out with some of its request sent: tells a server that takes_cancels, which
  // need not begin it then (CORBA 3.0.3, 15.4.4). Waits for nothing, and so perhaps tells nobody. Until
  // done().
  virtual void cancel(std::uint32_t) {}
  // How the last exchange ended, where it did not end in a reply.
  const Exchange& ending() const { return ending_; }
  // The Reply of the last exchange; its views are valid until done().
  const giop::Event& reply() const { return *reply_; }
  // Where the connection may come to speak GIOPlite: its numbers, which live as long as the channel.
  giop::lite::ClientNames* names() const { return names_; }
  // The next request offers a number for these; until done().
  void offer(giop::lite::ClientNames::Name& name) {
    offered_ = &name;
    untidy_ = true;
  }
  bool offers() const { return offered_ != nullptr; }
  // The request that did so has a reply, or has left and will have none.
  void settle_offer(bool replied) {
    if (replied)
      names_->answered(*offered_, reply_->short_head);
    else
      names_->sent(*offered_);
    offered_ = nullptr;
  }
  // What the next request has to carry for bidirectional GIOP, once; in most cases nothing.
  virtual ByteView context_to_offer() { return {}; }
  // Its connection is over, although no exchange has shown it yet.
  virtual bool gone() const { return broken_; }
  // Where the rest of a reply's body comes from while it has not all arrived; may be null.
  virtual cdr::Decoder::Source* body_source() = 0;
  // An exception has left exchange(): what the connection has sent and read is not known.
  void fail_for_memory() noexcept {
    broken_ = true;
    ending_ = {.status = Exchange::Status::no_memory,
               .sent_in_part = true,
               .phase = "send, or wait for the reply",
               .reason = "there is no memory for it"};
  }
  // The call is over, and its reply no longer needed.
  void done() {
    busy_ = false;
    if (untidy_) [[unlikely]]
      tidy();
  }
  // Memory from which its stream sends without copying (Stream::borrow), in most cases none.
  virtual OctetBuffer borrow(std::size_t) { return {}; }
  // "tcp 127.0.0.1:40000 -> 127.0.0.1:2809", for messages.
  virtual std::string describe() const = 0;

 protected:
  // What is left to do after some calls; overriders do this part too.
  virtual void tidy() {
    pinned_.clear();
    offered_ = nullptr;
    deadline_ = never;
    at_once_ = false;
    untidy_ = false;
  }

  static constexpr auto never = std::chrono::steady_clock::time_point::max();

  GatherBuffer out_;
  const giop::Event* reply_ = nullptr;
  Exchange ending_;
  giop::lite::ClientNames* names_ = nullptr;  // null: GIOP alone
  giop::lite::ClientNames::Name* offered_ = nullptr;
  std::vector<std::shared_ptr<const void>> pinned_;
  std::chrono::steady_clock::time_point deadline_ = never;
  bool at_once_ = false;
  bool busy_ = false;
  bool broken_ = false;
  bool untidy_ = false;  // done() has something to tidy()
  bool introduced_ = false;
  giop::compression::OfferData compression_offer_;
};

}  // namespace takt::client
