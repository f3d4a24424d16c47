// The head of a recorded message.
#pragma once

#include <cstdint>
#include <string>
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

// Empty if the message is one of GIOP, whole and in one piece, and its head can be parsed; else why not.
std::string parse(ByteView message, ParsedMessage& parsed);

}  // namespace takt::command
