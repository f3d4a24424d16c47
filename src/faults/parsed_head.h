// The head of a message of GIOP.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>

#include "giop/header/message_header.h"
#include "giop/message/event.h"

namespace takt::faults {

// The event refers to `aligned`.
struct ParsedHead {
  std::vector<std::uint64_t> aligned;
  giop::MessageHeader header;
  giop::Event event;
};

// `octets`: the first ones of a Request or Reply, with at least its 12 first ones. False if they are not one,
// or if the head is longer.
bool parse_head(ByteView octets, ParsedHead& parsed);

// The size of the message that begins with these octets, at least 12, in any of Takt's forms; nothing if they
// begin none.
std::optional<std::uint64_t> message_size(ByteView octets);

}  // namespace takt::faults
