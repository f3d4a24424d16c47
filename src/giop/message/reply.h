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

// The head of a reply with contexts, or in the other byte order.
void write_reply_in_full(cdr::Encoder& encoder, Version version, std::uint32_t request_id, ReplyStatus status,
                         std::span<const ServiceContext> contexts, bool has_body);

// Header and head of a reply without contexts; it ends at a multiple of 8 in all versions.
inline constexpr std::size_t bare_reply_bytes = header_size + 12;

// Writes header and head into the encoder's empty buffer. `has_body`: whether a body follows, which must be
// encoded next. finish_message() completes the message.
inline void write_reply(cdr::Encoder& encoder, Version version, std::uint32_t request_id, ReplyStatus status,
                        std::span<const ServiceContext> contexts, bool has_body) {
  if (!contexts.empty() || encoder.swaps()) [[unlikely]]
    return write_reply_in_full(encoder, version, request_id, status, contexts, has_body);
  GatherBuffer& buffer = encoder.buffer();
  buffer.ensure(bare_reply_bytes);
  std::uint8_t* at = buffer.cursor();
  write_header(at, version, cdr::native_order, MessageType::reply);
  const bool contexts_last = rules_of(version).contexts_last;
  std::uint32_t fields[3] = {0, 0, 0};
  fields[contexts_last ? 0 : 1] = request_id;
  fields[contexts_last ? 1 : 2] = static_cast<std::uint32_t>(status);
  std::memcpy(at + header_size, fields, sizeof fields);
  buffer.advance_to(at + bare_reply_bytes);
}

}  // namespace takt::giop
