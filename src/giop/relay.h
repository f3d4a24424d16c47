// Relaying messages: a new head before an unchanged body (the in-line bridge of [Kuhns 1999], 3.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/encoder.h>

#include "giop/contexts/service_context.h"
#include "giop/header/version.h"
#include "giop/message/reply.h"
#include "giop/message/request.h"

namespace takt::giop {

// The body stays unchanged, so its alignment after the new head must be the same as before. GIOP 1.2 aligns
// every body to 8. In earlier versions the body directly follows the head, so the new head is lengthened: by
// up to 7 octets of principal in a request, and by a dummy service context in a reply.
struct OriginalBody {
  std::size_t index = 0;  // index of the body's first octet in the original message
  bool empty = false;
};

// A dummy context that lengthens a head. Takt's own.
inline constexpr std::uint32_t padding_context = 0x54414b06;

// All contexts except those that concern the connection (code sets, listen points, remaining time, GIOPlite's
// numbers), lengthen the head, or give the sender's own address. Views into the message; allocates.
std::vector<ServiceContext> contexts_to_relay(const ServiceContexts& contexts);

// Both functions write header and head into the encoder's empty buffer, in the encoder's byte order, which
// must be the body's. `body` takes the place of the head's has_body. Append the body, then call
// finish_message().
void write_relayed_request(cdr::Encoder& encoder, Version version, const RequestHead& head,
                           ByteView object_key, const OriginalBody& body);
// Allocates if it needs a dummy context.
void write_relayed_reply(cdr::Encoder& encoder, Version version, const ReplyHead& head,
                         const OriginalBody& body);

}  // namespace takt::giop
