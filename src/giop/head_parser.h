// Takes the head of each kind of message apart: the counterpart of what request.h, reply.h, locate.h write.
#pragma once

#include <cstddef>
#include <cstdint>

#include "giop/event.h"
#include "giop/limits.h"
#include "giop/message_header.h"

namespace takt::giop {

enum class ParseResult : std::uint8_t {
  done,
  truncated,  // the octets end before the head does
  malformed,
  too_many_contexts,
};
const char* to_text(ParseResult result);

// Fills in the event from a message of which `present` octets are there, all of them or enough for the head.
// `message` begins at a multiple of 8 in memory, and its header has been read.
ParseResult parse_head(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
                       const Limits& limits, Event& event);

}  // namespace takt::giop
