// The calls in a recording: its requests, each with its reply.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <takt/cdr/byte_order.h>

#include "giop/message/reply.h"
#include "record/sent_contexts.h"
#include "recorder/recording_file.h"

namespace takt::command {

struct ParsedMessage;
using Octets = std::vector<std::uint8_t>;

struct RecordedReply {
  giop::ReplyStatus status = giop::ReplyStatus::no_exception;
  cdr::ByteOrder order = cdr::native_order;
  // In GIOP 1.0 and 1.1: the index of the body modulo 8, on which its padding depends.
  std::uint8_t body_at = 0;
  Octets body;
  friend bool operator==(const RecordedReply&, const RecordedReply&) = default;
};

// Whether it can be said that they are equal, or that they differ: bodies that begin elsewhere have their
// padding elsewhere. Replies of different statuses differ.
inline bool are_comparable(const RecordedReply& one, const RecordedReply& other) {
  return one.status != other.status || one.body_at == other.body_at;
}

struct RecordedContext {
  std::uint32_t id = 0;
  Octets data;
};

struct RecordedCall {
  std::int64_t time_ns = 0;
  std::uint32_t connection = 0;
  std::uint32_t request_id = 0;
  std::uint8_t giop_minor = 2;
  std::uint8_t response_flags = 0;
  cdr::ByteOrder order = cdr::native_order;
  Octets key;
  std::string operation;
  std::vector<RecordedContext> contexts;
  std::uint8_t body_at = 0;  // as in RecordedReply
  Octets body;
  std::optional<RecordedReply> reply;  // none: the recording does not have it, or it cannot be read

  bool expects_reply() const { return (response_flags & 1) != 0; }
};

struct RecordedCalls {
  std::vector<RecordedCall> all;             // in the order of their requests
  std::map<std::string, std::size_t> unfit;  // messages that cannot be replayed: why, and how many
};

// The calls whose requests passed in that direction. Only requests that were recorded whole and are not
// secret, to an object that is named by its key, can be replayed. Those of GIOPlite and compressed ones
// become requests of GIOP 1.2.
RecordedCalls calls_of(const recorder::Recording& recording, recorder::Direction requests);

// Reads a Reply; nullopt if it is another message. `id`: that of its request.
std::optional<RecordedReply> read_reply(const ParsedMessage& message, std::uint32_t& id);

// The request as one message of its version, with another id and another object key, and those of its
// contexts.
Octets request_of(const RecordedCall& call, std::uint32_t id, ByteView key, const SentContexts& contexts);

}  // namespace takt::command
