// The head of a recorded message.
#pragma once

#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>

#include "giop/header/message_header.h"
#include "giop/message/event.h"

namespace takt::command {

// A message whose head has been parsed; the event refers to `aligned`.
struct ParsedMessage {
  std::vector<std::uint64_t> aligned;
  giop::MessageHeader header;
  giop::Event event;
};

// How much of a message is there: all of it, or what its head is, as of a long message, a secret one, or one
// in several fragments.
enum class ParsedPart : std::uint8_t { nothing, head, whole };
// `message`: the first octets of a message. Nothing if it is not one of GIOP, or its head is not there.
ParsedPart parse(ByteView message, ParsedMessage& parsed);

}  // namespace takt::command
