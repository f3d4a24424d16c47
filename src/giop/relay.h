// Messages that are passed on: another head before the same body (the in-line bridge of paper 003, 3.2).
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

namespace takt::giop {

// A body stays as it is, octet for octet, so its numbers must be aligned behind the new head as they were
// behind the old one. GIOP 1.2 begins every body at a multiple of 8. Before, bodies follow their heads
// directly: there the new head is made longer, by up to 7 octets of principal in a request and by a service
// context that says nothing in a reply.
struct PassedBody {
  std::size_t index = 0;  // of the body's first octet, in the message that it came with
  bool empty = false;
};

// A context to be passed over, by which a head is made longer. Takt's.
inline constexpr std::uint32_t padding_context = 0x54414b06;

// All but those that are about the connection they came over (code sets, listen points, the time that is
// left, GIOPlite's numbers) or make the head longer, and the sender's own address. Views into the message;
// allocates.
std::vector<ServiceContext> contexts_to_pass_on(const ServiceContexts& contexts);

// Both write header and head into the encoder's empty buffer, in the encoder's byte order, which is that of
// the body; the body follows, and finish_message() completes it.
void write_passed_request(cdr::Encoder& encoder, Version version, std::uint32_t request_id,
                          std::uint8_t response_flags, ByteView object_key, std::string_view operation,
                          std::span<const ServiceContext> contexts, const PassedBody& body);
// Allocates in the case that takes a context more.
void write_passed_reply(cdr::Encoder& encoder, Version version, std::uint32_t request_id, ReplyStatus status,
                        std::span<const ServiceContext> contexts, const PassedBody& body);

}  // namespace takt::giop
