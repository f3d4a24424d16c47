// LocateRequest and LocateReply: find an object without calling it (CORBA 3.0.3, 15.4.5 and 15.4.6).
#pragma once

#include <cstdint>

#include <takt/cdr/encoder.h>

#include "giop/header/version.h"
#include "giop/message/request.h"

namespace takt::giop {

enum class LocateStatus : std::uint8_t {
  unknown_object = 0,
  object_here = 1,
  object_forward = 2,
  object_forward_perm = 3,    // from GIOP 1.2
  system_exception = 4,       // from GIOP 1.2
  needs_addressing_mode = 5,  // from GIOP 1.2
};

void write_locate_request(cdr::Encoder& encoder, const PreparedTarget& target, std::uint32_t request_id);
// For statuses with a body, encode it next; it is never aligned to 8.
void write_locate_reply(cdr::Encoder& encoder, Version version, std::uint32_t request_id,
                        LocateStatus status);

}  // namespace takt::giop
