// Reply messages (CORBA 3.0.3, 15.4.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <takt/cdr/encoder.h>

#include "giop/contexts/service_context.h"
#include "giop/header/message_header.h"
#include "giop/header/version.h"

namespace takt::giop {

enum class ReplyStatus : std::uint8_t {
  no_exception = 0,
  user_exception = 1,
  system_exception = 2,
  location_forward = 3,
  location_forward_perm = 4,  // from GIOP 1.2
  needs_addressing_mode = 5,  // from GIOP 1.2
};

// The fields of a reply's head.
struct ReplyHead {
  std::uint32_t request_id = 0;
  ReplyStatus status = ReplyStatus::no_exception;
  std::span<const ServiceContext> contexts = {};
  bool has_body = false;  // a body follows, which must be encoded next
};

// For write_reply(): a head with contexts, or in the other byte order. Takes the fields singly, so that they
// stay in registers, also of callers whose replies have no contexts.
void write_reply_in_full(cdr::Encoder& encoder, Version version, std::uint32_t request_id, ReplyStatus status,
                         std::span<const ServiceContext> contexts, bool has_body);

// Header and head of a reply without contexts; it ends at a multiple of 8 in all versions.
inline constexpr std::size_t bare_reply_bytes = header_size + 12;

// Writes header and head into the encoder's empty buffer. finish_message() completes the message.
inline void write_reply(cdr::Encoder& encoder, Version version, const ReplyHead& head) {
  if (!head.contexts.empty() || encoder.swaps()) [[unlikely]]
    return write_reply_in_full(encoder, version, head.request_id, head.status, head.contexts, head.has_body);
  GatherBuffer& buffer = encoder.buffer();
  buffer.ensure(bare_reply_bytes);
  std::uint8_t* at = buffer.cursor();
  write_header(at, version, cdr::native_order, MessageType::reply);
  const bool contexts_last = rules_of(version).contexts_last;
  std::uint32_t fields[3] = {0, 0, 0};
  fields[contexts_last ? 0 : 1] = head.request_id;
  fields[contexts_last ? 1 : 2] = static_cast<std::uint32_t>(head.status);
  std::memcpy(at + header_size, fields, sizeof fields);
  buffer.advance_to(at + bare_reply_bytes);
}

}  // namespace takt::giop
