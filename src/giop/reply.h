// Reply messages (CORBA 3.0.3, 15.4.3).
#pragma once

#include <cstdint>
#include <span>

#include <takt/cdr/encoder.h>

#include "giop/service_context.h"
#include "giop/version.h"

namespace takt::giop {

enum class ReplyStatus : std::uint8_t {
  no_exception = 0,
  user_exception = 1,
  system_exception = 2,
  location_forward = 3,
  location_forward_perm = 4,   // from GIOP 1.2
  needs_addressing_mode = 5,  // from GIOP 1.2
};

// Writes header and head into the encoder's empty buffer. `has_body` says whether anything will follow,
// which is then to be encoded right away. finish_message() completes it.
void write_reply(cdr::Encoder& encoder, Version version, std::uint32_t request_id, ReplyStatus status,
                 std::span<const ServiceContext> contexts, bool has_body);

}  // namespace takt::giop
