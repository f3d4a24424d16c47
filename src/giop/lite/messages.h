// Writes requests and replies with GIOPlite's short head.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include <takt/base/bytes.h>
#include <takt/cdr/encoder.h>

#include "giop/contexts/service_context.h"
#include "giop/header/lite_format.h"
#include "giop/message/reply.h"
#include "giop/message/request.h"

namespace takt::giop::lite {

// The fields that differ between messages, except for the size.
struct Head {
  MessageType type = MessageType::request;
  std::uint8_t answer = 0;  // request: response flags; reply: status
  std::uint16_t number = 0;
  std::uint32_t request_id = 0;
};

// Writes a head without contexts, in native byte order, into an empty buffer. Returns false, without effect,
// if the buffer has no room yet.
inline bool write_bare_head(GatherBuffer& buffer, const Head& head) {
  std::uint8_t* const at = buffer.cursor();
  if (static_cast<std::size_t>(buffer.limit() - at) < head_bytes) [[unlikely]]
    return false;
  const std::uint64_t first = first_octets(head.type);
  std::memcpy(at, &first, sizeof first);
  at[answer_index] = head.answer;
  std::memcpy(at + number_index, &head.number, sizeof head.number);
  std::memcpy(at + header_size, &head.request_id, sizeof head.request_id);
  buffer.advance_to(at + head_bytes);
  return true;
}

// Writes the head into the encoder's empty buffer, in the encoder's byte order. finish_message() completes
// the message.
void write_head(cdr::Encoder& encoder, Head head, std::span<const ServiceContext> contexts, bool has_body);

// `number` stands for the target and the operation.
inline void write_request(cdr::Encoder& encoder, std::uint16_t number, const RequestHead& head) {
  write_head(encoder, {MessageType::request, head.response_flags, number, head.request_id}, head.contexts,
             head.has_body);
}

inline void write_reply(cdr::Encoder& encoder, const ReplyHead& head) {
  write_head(encoder, {MessageType::reply, static_cast<std::uint8_t>(head.status), 0, head.request_id},
             head.contexts, head.has_body);
}

}  // namespace takt::giop::lite
