// Protocol state of one GIOP connection, without I/O: octets in, events out.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/memory_budget.h>
#include <takt/base/memory_charge.h>

#include "giop/compression/format.h"
#include "giop/compression/methods.h"
#include "giop/fragments/fragment_assembler.h"
#include "giop/fragments/fragment_parts.h"
#include "giop/header/limits.h"
#include "giop/header/message_header.h"
#include "giop/header/messaging.h"
#include "giop/lite/server_names.h"
#include "giop/message/event.h"
#include "giop/receive_buffer.h"

namespace takt::giop {

enum class ParseResult : std::uint8_t;

// Uses no socket, clock or thread. Its driver, one thread at a time, loops:
//
//   read into read_space();  bytes_read(n);  call next_event() until it returns none
//
// The driver sends what the functions of request.h, reply.h, locate.h and close.h have encoded. Events come
// in the order in which their messages were completed. No events follow close, message_error, lost or
// protocol_error. One exception to the loop: with stream_bodies(), an event with a non-zero body_missing
// leaves the rest of the body to the driver. The driver then reads exactly those octets itself, and calls
// body_taken(), before it continues.
//
// Data from the peer is charged to a budget of the connection, within a budget shared by all connections of
// its role (Limits). A message that does not fit is refused: its event has only the head, the rest of the
// message is skipped, and the connection continues. If the head has not arrived, or belongs to a compressed
// message, protocol_error follows instead. It is large because rare states, such as a message whose rest is
// skipped, are members beside their parts (fragments, names, buffer).
class Connection {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  static constexpr std::size_t piece_bytes = 32 * 1024;
  enum class Role : std::uint8_t {
    client,  // this end opened the connection
    server,  // it accepted it
  };

  // `limits` must outlive the connection. `methods`: the accepted compression methods; if empty, packed
  // messages are errors. `expansion`: their maximum expansion; 0 takes it from the limits. Allocates the
  // first receive buffer (1 KiB).
  Connection(Role role, const Limits& limits, const Messaging& messaging = Messaging::giop,
             const compression::MethodList& methods = {}, std::uint16_t expansion = 0);

  // Where to read the next octets to; never empty. Invalidates the views in the last event.
  MutableBytes read_space() { return buffer_.space(expected_bytes_); }
  void bytes_read(std::size_t count) { buffer_.filled(count); }
  // The event belongs to the connection and is valid until the next call or read_space().
  const Event& next_event() {
    if (buffer_.available() < header_size && !attention_) return nothing;
    return take_event();
  }
  // Whether octets have arrived after the last event, or something else is left to be told.
  bool has_more() const { return mid_message() || attention_; }
  // Whether those octets include a message's header.
  bool has_whole_header() const { return buffer_.available() >= header_size; }
  // The peer will send no more. Events of messages that have arrived still come, then `lost`.
  void end_of_stream();

  // Delivers events of messages longer than this before their body is complete. 0, the initial state: never.
  void stream_bodies(std::size_t threshold_bytes = piece_bytes) { stream_threshold_ = threshold_bytes; }
  // Reads the ends of Requests longer than this to where a sequence of octets stays, if one seems to reach to
  // the end. Such an event comes when all of it is there; its body goes on in tail().
  void gather_tails(std::size_t threshold_bytes = piece_bytes) { tail_threshold_ = threshold_bytes; }
  // Source of the missing octets of the last event; null: they come from elsewhere. Valid as long as the
  // event; may be moved from.
  cdr::BodyTail* tail() { return tail_delivered_ ? buffer_.tail() : nullptr; }
  // Whether a tail is being read, and the last read filled its space.
  bool more_is_likely() const { return buffer_.reads_tail() && buffer_.tail()->more_is_likely(); }
  // Delivers the incomplete message at the front, once and whatever its size, before its body is complete.
  void stream_message() { streams_message_ = true; }
  // Octets missing of that message; 0 if its header has not arrived.
  std::size_t message_missing() const {
    return expected_bytes_ == 0 ? 0 : expected_bytes_ - buffer_.available();
  }
  std::size_t body_missing() const { return body_missing_; }
  void body_taken(std::size_t count) {
    body_missing_ -= count;
    if (body_missing_ == 0) since_.reset();
  }

  // Whether a CancelRequest with that id has arrived after the last event. Looks at a limited number of
  // messages.
  bool cancel_follows(std::uint32_t request_id) const;

  // Undoes the last event, whose body is incomplete. It comes again once all of it has arrived, and later
  // bodies are not streamed either.
  void stop_streaming();
  // The result of the last next_event(). Valid after a move, too.
  const Event& last_event() const { return event_; }

  // Bidirectional GIOP was agreed on: the peer may also send what only the other role may send (CORBA 3.0.3,
  // 15.8).
  void allow_bidirectional();

  // The last event is a request that offers this number for its object key and operation. Requests with short
  // heads may use it from now on, and the event says that its reply may have a short head, unless the limits
  // or the messaging forbid it. Allocates.
  void learn(std::uint16_t number);

  // The side that opened the connection has even ids, the other one odd ids.
  std::uint32_t next_request_id() { return next_id_ += 2; }
  std::uint32_t last_request_id() const { return next_id_; }

  // Compression methods that are accepted here.
  const compression::MethodList& methods() const { return methods_; }
  // The maximum expansion of a packed message; constant.
  std::uint16_t expansion() const { return expansion_; }
  // How the peer wants packed messages, according to one that it has sent; expansion 0 if it has sent none.
  // Any thread, but not after a move.
  compression::Wanted wanted_by_peer() const { return wanted_by_peer_; }

  // A message has arrived in part.
  bool mid_message() const { return begun_at_front() || (assembler_ && !assembler_->empty()); }
  // No more events will come.
  bool over() const { return over_; }
  // Version of the last message; 1.2 before the first.
  Version version() const { return version_; }

  // Deadline for the peer to complete what it has begun to send, if anything. The time of a message that
  // began since the last call counts from `now`.
  std::optional<TimePoint> next_deadline(TimePoint now);
  // Makes a protocol_error follow if a deadline has passed.
  void on_deadline(TimePoint now);
  // Frees memory left by long messages, if it is more than `keep_bytes` and no message is arriving.
  // Invalidates views.
  void trim(std::size_t keep_bytes = 0) { buffer_.trim(keep_bytes); }
  std::size_t buffer_bytes() const { return buffer_.capacity(); }
  // The budget that the peer's messages, and everything else kept for it, are charged to. Its address stays
  // the same when the connection is moved; it lives as long as the connection.
  MemoryBudget& memory() { return *memory_; }

 private:
  static const Event nothing;

  const Event& take_event();
  template <class Parse>
  void take_whole(std::size_t bytes, Parse parse);
  HeaderError read_any_header(const std::uint8_t* octets, MessageHeader& header) const;
  ParseResult read_head(const MessageHeader& header, const std::uint8_t* message, std::size_t present);
  bool attend();
  bool begun_at_front() const { return buffer_.available() != 0 || body_missing_ != 0 || skip_bytes_ != 0; }
  void next_any_message();
  const char* refusal(const MessageHeader& header) const;
  void parse(const MessageHeader& header, const std::uint8_t* message, std::size_t bytes);
  void take_packed(const MessageHeader& header, ByteView message);
  void incomplete(const MessageHeader& header);
  void make_room(const MessageHeader& header);
  bool begin_tail(const MessageHeader& header);
  bool go_on_with_tail();
  void refuse(const MessageHeader& header, ByteView present, bool fits_later);
  void refuse_part(const MessageHeader& header, ByteView present, bool fits_later);
  void divide(std::vector<std::uint32_t> starts);
  void take_part(const MessageHeader& header, ByteView message);
  void end();
  void lose();
  void fail(const char* reason);
  void fail(const char* reason, Version version);

  const Limits& limits_;
  // Keeps the shared budget alive, because a thread's connections may outlive their ORB while they end.
  const std::shared_ptr<MemoryBudget> memory_of_all_;
  std::unique_ptr<MemoryBudget> memory_;  // declared before the members that charge it
  ReceiveBuffer buffer_;
  // The first octets of the most frequent message: a complete Request or Reply of GIOP 1.2 in native byte
  // order. Such a message takes a shortcut to the same result.
  std::uint64_t expected_first_;
  const bool lite_;
  const compression::MethodList methods_;
  const std::uint16_t expansion_;
  std::uint64_t expected_lite_;     // the same for messages with a short head, as far as they are constant
  std::size_t longest_;             // maximum message size; copied from the limits, which may change
  Event event_;                     // the last one
  std::size_t expected_bytes_ = 0;  // size of the message at the front, once its header has arrived
  std::size_t stream_threshold_ = 0;
  std::size_t tail_threshold_ = SIZE_MAX;
  std::size_t body_missing_ = 0;
  const std::uint8_t* streamed_ = nullptr;  // the arrived part of a message whose body is streamed
  std::size_t streamed_bytes_ = 0;
  std::size_t retry_bytes_ = 0;  // number of octets at which to parse a streamed message's head again
  std::unique_ptr<lite::ServerNames> names_;      // once the peer has numbered names
  std::unique_ptr<FragmentAssembler> assembler_;  // once there was a fragment
  LiveSetting<compression::Wanted> wanted_by_peer_ = compression::Wanted{};
  std::size_t skip_bytes_ = 0;       // remaining octets of a refused message
  std::vector<std::uint8_t> whole_;  // the last message that was reassembled or inflated
  MemoryCharge memory_of_whole_;
  FragmentParts parts_;                  // the fragments that it was reassembled from
  std::optional<TimePoint> since_;       // when next_deadline() first saw the message at the front
  std::uint32_t messages_at_since_ = 0;  // identifies that message
  std::uint32_t messages_ = 0;
  std::uint32_t next_id_;
  std::uint32_t tail_tried_ = UINT32_MAX;  // value of messages_ before a message that gets no tail
  const char* failure_ = nullptr;
  std::uint16_t accepted_types_;  // a bit per MessageType
  Version version_;
  bool streams_message_ = false;
  bool tail_delivered_ = false;  // the last event's body goes on in the tail
  bool attention_ = false;       // attend() has something to check
  bool over_ = false;
  bool ended_ = false;
};

}  // namespace takt::giop
