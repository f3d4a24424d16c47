// The protocol state of one GIOP connection: octets in, events out.
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

// Knows no socket, clock or thread. Whoever drives it, one thread at a time, goes round:
//
//   read into read_space();  bytes_read(n);  until none: next_event()
//
// and writes what the functions of request.h, reply.h, locate.h and close.h have encoded. Events come in the
// order in which their messages were completed. After close, message_error, lost or protocol_error none
// follow. An exception to the round: with stream_bodies(), an event whose body_missing is not 0 leaves the
// rest of the body to the driver, which reads exactly those octets by itself, saying body_taken(), before it
// goes on.
//
// What the peer sends is counted against a budget of the connection's own, within one that all connections of
// its role share (Limits). A message that does not fit is refused: its event has its head, the rest of it is
// passed over, and the connection goes on. Where that cannot be, since the head has not arrived, or is that
// of a compressed message, protocol_error follows.
class Connection {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  static constexpr std::size_t piece_bytes = 32 * 1024;
  enum class Role : std::uint8_t { client, server };  // who opened the connection, and who accepted it

  // `limits` outlive the connection. `methods`: of compressed messages that are understood; none: none are.
  // `expansion`: of these; 0: what the limits say at present. Allocates the first receive buffer (1 KiB).
  Connection(Role role, const Limits& limits, const Messaging& messaging = Messaging::giop,
             const compression::MethodList& methods = {}, std::uint16_t expansion = 0);

  // Where the next octets go; never empty. Invalidates the last event's views.
  MutableBytes read_space() { return buffer_.space(expected_bytes_); }
  void bytes_read(std::size_t count) { buffer_.filled(count); }
  // The connection's own, until the next call or read_space().
  const Event& next_event() {
    if (buffer_.available() < header_size && !attention_) return nothing;
    return take_event();
  }
  // The peer will send no more. What has arrived may still hold events; after them comes `lost`.
  void end_of_stream();

  // Bodies longer than this need not be in the buffer for their event to come. 0: they must, as at first.
  void stream_bodies(std::size_t threshold_bytes = piece_bytes) { stream_threshold_ = threshold_bytes; }
  // The message at the front, which is not complete, need not be either, this once, however short it is.
  void stream_message() { streams_message_ = true; }
  // Of that message; 0 where its header is not there yet.
  std::size_t message_missing() const {
    return expected_bytes_ == 0 ? 0 : expected_bytes_ - buffer_.available();
  }
  std::size_t body_missing() const { return body_missing_; }
  void body_taken(std::size_t count) {
    body_missing_ -= count;
    if (body_missing_ == 0) since_.reset();
  }

  // Whether a CancelRequest with that id is among what has arrived behind the last event; a number of
  // messages are looked at.
  bool cancel_follows(std::uint32_t request_id) const;

  // Undoes the last event, whose body is missing in part: it comes again once all of it has arrived, and so
  // do later ones.
  void stop_streaming();
  // Valid as next_event() left it; also after a move.
  const Event& last_event() const { return event_; }

  // Bidirectional GIOP was agreed on: the peer may send what only the other role could (CORBA 3.0.3, 15.8).
  void allow_both_ways();

  // The last event is a request that offers this number for its object key and operation: requests with
  // short heads may use it from then on, and the event says that its reply may have one, unless the limits
  // or the messaging are against it. Allocates.
  void learn(std::uint16_t number);

  // The side that opened the connection has the even ids, the other the odd ones.
  std::uint32_t next_request_id() { return next_id_ += 2; }

  // By which methods compressed messages are understood here.
  const compression::MethodList& methods() const { return methods_; }
  // How many times as long as what came in a message may become; the same all the time.
  std::uint16_t expansion() const { return expansion_; }
  // How the peer will have compressed messages, as one that it has packed says; expansion 0: it has not said
  // so. Any thread, and not after a move.
  compression::Wanted wanted_by_peer() const { return wanted_by_peer_; }

  // Part of a message has arrived and the rest has not.
  bool mid_message() const { return begun_at_front() || (assembler_ && !assembler_->empty()); }
  // No more events will come.
  bool over() const { return over_; }
  // Of the last message; 1.2 before there is one.
  Version version() const { return version_; }

  // When the peer must have completed what it has begun to send, if anything. What began since the last call
  // counts from `now`.
  std::optional<TimePoint> next_deadline(TimePoint now);
  // A protocol_error follows if a deadline has passed.
  void on_deadline(TimePoint now);
  // Gives back memory that long messages have left, if no message has begun to arrive and it is more than
  // that. Invalidates views.
  void trim(std::size_t keep_bytes = 0) { buffer_.trim(keep_bytes); }
  std::size_t buffer_bytes() const { return buffer_.capacity(); }
  // What the peer's messages, and everything else that it has the connection keep, is counted against. Stays
  // where it is when the connection is moved, and lives as long as it does.
  MemoryBudget& memory() { return *memory_; }

 private:
  static const Event nothing;

  const Event& take_event();
  template <class Parse>
  void take_whole(std::size_t bytes, Parse parse);
  HeaderError read_any_header(const std::uint8_t* octets, MessageHeader& header) const;
  ParseResult read_head(const MessageHeader& header, const std::uint8_t* message, std::size_t present);
  bool attend();
  bool begun_at_front() const {
    return buffer_.available() != 0 || body_missing_ != 0 || passed_over_bytes_ != 0;
  }
  void next_uncommon();
  const char* refusal(const MessageHeader& header) const;
  void parse(const MessageHeader& header, const std::uint8_t* message, std::size_t bytes);
  void take_packed(const MessageHeader& header, ByteView message);
  void incomplete(const MessageHeader& header);
  void make_room(const MessageHeader& header);
  void refuse(const MessageHeader& header, ByteView present, bool fits_later);
  void refuse_part(const MessageHeader& header, ByteView present, bool fits_later);
  void divide(std::vector<std::uint32_t> starts);
  void take_part(const MessageHeader& header, ByteView message);
  void end();
  void lose();
  void fail(const char* reason);
  void fail(const char* reason, Version version);

  const Limits& limits_;
  // A thread's connections may outlive their ORB, and its limits, by the time that they need to end.
  const std::shared_ptr<MemoryBudget> memory_of_all_;
  std::unique_ptr<MemoryBudget> memory_;  // before all that takes from it
  ReceiveBuffer buffer_;
  // The first octets of what comes most: a whole Request or Reply of GIOP 1.2 in our byte order. Such a
  // message takes a shorter way to the same result.
  std::uint64_t expected_first_;
  const bool lite_;
  const compression::MethodList methods_;
  const std::uint16_t expansion_;
  std::uint64_t expected_lite_;  // the same of messages with a short head, as far as all have it in common
  std::size_t
      longest_;  // of messages: as the limits had it when the connection was made, since they may change
  Event event_;  // the last one
  std::size_t expected_bytes_ = 0;  // of the message at the front, once its header is there
  std::size_t stream_threshold_ = 0;
  std::size_t body_missing_ = 0;
  const std::uint8_t* streamed_ = nullptr;  // what has arrived of a message whose body is missing,
  std::size_t streamed_bytes_ = 0;          // and how much
  std::size_t retry_bytes_ = 0;  // a streamed message's head is looked for again with so many octets
  std::unique_ptr<lite::ServerNames> names_;      // once the peer has numbered some
  std::unique_ptr<FragmentAssembler> assembler_;  // once there was a fragment
  Changeable<compression::Wanted> wanted_by_peer_ = compression::Wanted{};
  std::size_t passed_over_bytes_ = 0;  // of a refused message, which are still to come
  std::vector<std::uint8_t> whole_;    // the last message that was put together or inflated,
  MemoryCharge memory_of_whole_;
  FragmentParts parts_;                  // and what it was put together of
  std::optional<TimePoint> since_;       // when next_deadline() first saw the message at the front,
  std::uint32_t messages_at_since_ = 0;  // and which one that was
  std::uint32_t messages_ = 0;
  std::uint32_t next_id_;
  const char* failure_ = nullptr;
  std::uint16_t accepted_types_;  // a bit for each MessageType
  Version version_;
  bool streams_message_ = false;
  bool attention_ = false;  // what attend() looks at may be set
  bool over_ = false;
  bool ended_ = false;
};

}  // namespace takt::giop
